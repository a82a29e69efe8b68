# tries: stop and steer a sibling by ptrace, and have one that stops itself
import ctypes, errno, os, signal, time

libc = ctypes.CDLL(None, use_errno=True)
child = os.fork()
if child == 0:
    time.sleep(3)
    os._exit(0)
for name, request in {"attach": 16, "seize": 0x4206}.items():
    if libc.ptrace(request, child, None, None) == 0:
        print("ESCAPED:", name)
    else:
        print("held:", name, errno.errorcode[ctypes.get_errno()])
os.kill(child, signal.SIGKILL)
if libc.ptrace(0, 0, None, None) == 0:  # PTRACE_TRACEME
    print("ESCAPED: traced by its parent")
