# tries: leave settings in the home directory that programs of base obey
import os, sys

home = os.path.expanduser("~")
names = [".npmrc", ".gitconfig", ".config/git/config", ".config/pip/pip.conf", ".pip/pip.conf", ".bashrc", ".profile", ".bash_profile", ".zshenv",
         ".pythonrc.py", ".pypirc", ".netrc", ".config/go/env", ".cargo/config.toml", ".m2/settings.xml", ".gradle/init.gradle", ".yarnrc.yml", ".babelrc",
         ".mocharc.json", ".jestrc", ".eslintrc.json", ".nycrc", ".coveragerc", ".config/matplotlib/matplotlibrc", ".local/lib/python3/site-packages/a.pth",
         ".npm/_cacache/x", ".cache/x", ".node_repl_history", ".curlrc", ".ssh/config", "node_modules/x/index.js", "package.json"]
for name in names:
    path = os.path.join(home, name)
    if sys.argv[1] == "head":
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write("from-head")
            print("held: left", name)
        except OSError as e:
            print("held:", e.strerror)
    elif os.path.exists(path) and "from-head" in open(path).read():
        print("ESCAPED:", name)
    else:
        print("held: none")
