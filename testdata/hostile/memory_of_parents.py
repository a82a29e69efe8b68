# tries: read secrets out of the memory of processes that are not its own test run's
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for pid in [int(n) for n in os.listdir("/proc") if n.isdigit()]:
    try:
        # Its own run is one session: the runner and its workers, which run the same code anyway.
        if os.getsid(pid) == os.getsid(0):
            continue
        with open(f"/proc/{pid}/comm") as f:
            name = f"{pid} ({f.read().strip()})"
    except OSError as e:
        print("held:", e.strerror)
        continue
    for file in ("mem", "environ", "maps"):
        try:
            with open(f"/proc/{pid}/{file}", "rb") as f:
                if file != "mem" and not f.read():
                    print("held: empty")
                    continue
            print(f"ESCAPED: opened {file} of {name}")
        except OSError as e:
            print("held:", e.strerror)
    if libc.ptrace(16, pid, 0, 0) == 0:
        print(f"ESCAPED: attached to {name}")
    else:
        print("held: ptrace:", os.strerror(ctypes.get_errno()))
