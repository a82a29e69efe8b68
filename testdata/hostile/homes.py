# tries: read secrets in every home directory and below the runner's temporary directory
import os, json
t = json.loads(os.environ["TARGETS"])
roots = [t["home"], t["runnerTemp"], "/root", "/home", "/github"]
for root in roots:
    for dir, dirs, files in os.walk(root):
        if dir.count("/") > root.count("/") + 3:
            dirs.clear()
        for name in files:
            if name.endswith((".json", ".git", "config", "credentials", "id_ed25519")):
                try:
                    with open(os.path.join(dir, name), errors="replace") as f:
                        if "canary-secret" in f.read(100000):
                            print("ESCAPED:", os.path.join(dir, name))
                except OSError:
                    pass
print("held: nothing readable held a secret")
