# tries: have git run a program when base is checked out: by hooks, filters, monitors, other objects, nested repositories
import os, sys

program = os.getcwd() + "/planted.sh"
if sys.argv[1] == "head":
    with open(program, "w") as f:
        f.write("#!/bin/sh\nfor d in ../../*/results ../results /tmp /dev/shm; do touch $d/git-ran-it; done\ncat\n")
    os.chmod(program, 0o755)
    for at in (".git", "nested/.git", "file.git"):
        for d in ("hooks", "objects/info", "info", "modules/x", "refs"):
            try:
                os.makedirs(at + "/" + d, exist_ok=True)
            except OSError:
                continue
        texts = {"hooks/post-checkout": "#!/bin/sh\n" + program + "\n", "hooks/reference-transaction": "#!/bin/sh\n" + program + "\n", "HEAD": "ref: refs/heads/main\n",
                 "info/attributes": "* filter=x diff=x merge=x\n", "objects/info/alternates": os.getcwd() + "/nested/.git/objects\n",
                 "config": "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = %s\n\tsshCommand = %s\n\thooksPath = %s/.git/hooks\n[filter \"x\"]\n\tsmudge = %s\n\tclean = %s\n\trequired = true\n[include]\n\tpath = x\n" % (program, program, os.getcwd(), program, program)}
        for name, text in texts.items():
            try:
                with open(at + "/" + name, "w") as f:
                    f.write(text)
                os.chmod(at + "/" + name, 0o755)
            except OSError as e:
                print("held:", e.strerror)
    with open(".gitattributes", "w") as f:
        f.write("* filter=x\n")
    with open(".gitmodules", "w") as f:
        f.write("[submodule \"x\"]\n\tpath = nested\n\turl = ext::%s\n\tupdate = !%s\n" % (program, program))
    print("held: laid out")
else:
    import glob
    found = glob.glob("../results/git-ran-it") + glob.glob("/tmp/git-ran-it") + glob.glob("/dev/shm/git-ran-it")
    print("ESCAPED: git ran it" if found else "held: git ran nothing")
