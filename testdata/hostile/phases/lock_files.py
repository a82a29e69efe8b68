# tries: hold locks that base and the tools waiting for it need
import fcntl, glob, json, os, sys, time

cache = json.loads(os.environ["TARGETS"])["cache"]
paths = [cache, "/etc/passwd", sys.executable] + glob.glob(cache + "/*")
if sys.argv[1] == "head":
    held = []
    for p in paths:
        try:
            f = os.open(p, os.O_RDONLY)
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held.append(f)
        except OSError:
            pass
    if os.fork():
        print("held: %d" % len(held), flush=True)
        os._exit(0)
    os.setsid()
    time.sleep(60)
else:
    for p in paths:
        try:
            f = os.open(p, os.O_RDONLY)
        except OSError:
            continue
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as e:
            print("ESCAPED:", p, e.strerror)
        os.close(f)
    print("held: no lock is left")
