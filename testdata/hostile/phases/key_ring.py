# tries: leave a key in a ring of the kernel that base finds
import ctypes, platform, sys

libc = ctypes.CDLL(None, use_errno=True)
add, request = (248, 249) if platform.machine() == "x86_64" else (217, 218)
if sys.argv[1] == "head":
    done = [libc.syscall(add, b"user", b"qa-from-head", b"x", 1, ring) for ring in (-4, -5, -3, -2)]
    print("ESCAPED: added" if max(done) >= 0 else "held: refused")
else:
    print("ESCAPED: found" if libc.syscall(request, b"user", b"qa-from-head", None, -4) >= 0 else "held: none")
