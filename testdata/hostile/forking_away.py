# tries: outrun whoever ends it, by being a new process all the time
import json, os, time

t = json.loads(os.environ["TARGETS"])
if os.fork() == 0:
    os.setsid()
    end = time.time() + 8
    while time.time() < end:
        if os.fork() != 0:
            os._exit(0)
        with open(t["heartbeat"], "a") as f:
            f.write("x")
    os._exit(0)
time.sleep(0.3)
print("held: see whether it lives on", flush=True)
