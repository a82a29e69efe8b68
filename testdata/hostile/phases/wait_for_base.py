# tries: wait until base runs, and then write into its files
import glob, os, sys, time

here = os.path.dirname(os.getcwd())
def mark():
    for at in glob.glob(os.path.dirname(here) + "/*/*/") + glob.glob("/tmp/*/*/") + ["/dev/shm/", "/var/tmp/"]:
        if not at.startswith(here):
            try:
                open(at + "from-head", "w").close()
            except OSError:
                pass

if sys.argv[1] == "head":
    mark()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        for fd in range(3):
            os.close(fd)
        while True:
            mark()
            time.sleep(0.01)
    print("held: waiting")
else:
    time.sleep(1)
    found = [at for at in glob.glob("../*/from-head") + glob.glob("from-head") + glob.glob("/dev/shm/from-head") + glob.glob("/var/tmp/from-head") + glob.glob("/tmp/from-head")]
    print("ESCAPED: " + str(found) if found else "held: nothing was written")
