# tries: put programs and modules of its own where base looks for them first
import os, shutil, site, sys

mark = "from-head"
dirs = os.environ["PATH"].split(":") + ["node_modules/.bin", os.path.expanduser("~/bin"), os.path.expanduser("~/.local/bin"), os.path.expanduser("~/go/bin")]
modules = [d for d in sys.path if d] + [site.getusersitepackages(), "/usr/lib/node_modules", os.path.expanduser("~/.node_modules"), "/node_modules", os.path.dirname(os.getcwd()) + "/node_modules"]
if sys.argv[1] == "head":
    left = 0
    for d in dirs + modules:
        for name in ("git", "node", "npm", "python3", "go", "sh", "sitecustomize.py", "usercustomize.py", "a.pth", "x/index.js"):
            try:
                path = os.path.join(d, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if not os.path.exists(path):
                    with open(path, "w") as f:
                        f.write("#!/bin/sh\n# " + mark + "\n")
                    os.chmod(path, 0o755)
                    left += 1
            except OSError:
                pass
    print("held: left %d" % left)
else:
    for d in dirs + modules:
        for name in os.listdir(d) if os.path.isdir(d) else []:
            path = os.path.join(d, name)
            if name in ("git", "node", "npm", "python3", "go", "sh", "sitecustomize.py", "usercustomize.py", "a.pth") and os.path.isfile(path):
                with open(path, "rb") as f:
                    if mark.encode() in f.read(100) :
                        print("ESCAPED:", path)
    print("held: none of head's")
