# tries: write base's report before base does, and make it unwritable
import os, stat, sys

results = os.path.dirname(os.getcwd()) + "/results"
if sys.argv[1] == "head":
    for at in [results] + [os.path.join(os.path.dirname(os.path.dirname(os.getcwd())), d, "results") for d in os.listdir(os.path.dirname(os.path.dirname(os.getcwd()))) if os.access(os.path.dirname(os.path.dirname(os.getcwd())), os.R_OK)] if os.access(os.path.dirname(os.path.dirname(os.getcwd())), os.R_OK) else [results]:
        try:
            with open(at + "/base.xml", "w") as f:
                f.write("<testsuite/>")
            os.chmod(at, 0o500)
        except OSError as e:
            print("held:", e.strerror)
    print("held: left")
else:
    try:
        open(results + "/mine.xml", "w").close()
        print("ESCAPED: a report of head's" if os.path.exists(results + "/base.xml") else "held: its own results")
    except OSError as e:
        print("ESCAPED:", e.strerror)
