# tries: collect its orphans itself, so that nobody else finds them
import ctypes, json, os, signal, time

t = json.loads(os.environ["TARGETS"])
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
libc.prctl(1, 0, 0, 0, 0)   # no signal when the parent ends
if os.fork() == 0:
    os.setsid()
    libc.prctl(36, 1, 0, 0, 0)
    for _ in range(3):
        if os.fork() == 0:
            if os.fork() == 0:
                os.setpgid(0, 0)
                libc.prctl(15, b"kworker/0:1", 0, 0, 0)  # its name
                while True:
                    with open(t["heartbeat"], "a") as f:
                        f.write("x")
                    time.sleep(0.02)
            os._exit(0)
    time.sleep(60)
    os._exit(0)
time.sleep(0.4)
print("held: see whether they live on")
