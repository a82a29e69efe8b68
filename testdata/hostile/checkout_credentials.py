# tries: read the token that the checkout step wrote into the git configuration
import json, os, subprocess
t = json.loads(os.environ["TARGETS"])
for path in (t["checkout"] + "/.git/config", ".git/config"):
    try:
        with open(path) as f:
            text = f.read()
        print("ESCAPED:" if "canary-secret" in text or "extraheader" in text else "held: no token in", path)
    except OSError as e:
        print("held:", e.strerror)
out = subprocess.run(["git", "config", "--list", "--show-origin"], capture_output=True, text=True).stdout
print("ESCAPED: git config" if "canary-secret" in out else "held: git knows no token")
