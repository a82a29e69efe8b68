# tries: read secrets out of the memory of other processes
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for pid in [n for n in os.listdir("/proc") if n.isdigit() and int(n) != os.getpid()]:
    try:
        with open(f"/proc/{pid}/mem", "rb") as f:
            f.seek(0x400000)
            f.read(16)
        print(f"ESCAPED: opened /proc/{pid}/mem")
    except OSError as e:
        print("held:", e.strerror)
        if e.errno not in (1, 13, 2):
            print(f"ESCAPED: opened /proc/{pid}/mem")
    if libc.ptrace(16, int(pid), 0, 0) == 0:
        print(f"ESCAPED: attached to {pid}")
    else:
        print("held: ptrace:", os.strerror(ctypes.get_errno()))
