# tries: leave segments, queues and semaphores of System V that base finds by their key
import ctypes, sys

libc = ctypes.CDLL(None, use_errno=True)
calls = {"segment": lambda f: libc.shmget(0x51A001, 4096, f), "queue": lambda f: libc.msgget(0x51A002, f), "semaphore": lambda f: libc.semget(0x51A003, 1, f)}
for name, call in calls.items():
    if sys.argv[1] == "head":
        print("held: made" if call(0o1666) >= 0 else "held: refused", name)
    else:
        print("ESCAPED: " + name if call(0o666) >= 0 else "held: no " + name)
