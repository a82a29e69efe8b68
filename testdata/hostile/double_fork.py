# tries: leave a daemon behind that has left session and parent and ignores signals
import os, signal, sys, time, json
t = json.loads(os.environ["TARGETS"])
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(s, signal.SIG_IGN)
        while True:
            with open(t["heartbeat"], "a") as f:
                f.write("x")
            time.sleep(0.02)
    os._exit(0)
time.sleep(0.3)
print("held: see whether it lives on")
