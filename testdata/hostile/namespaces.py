# tries: become root in a namespace of its own, and mount
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for name, flag in {"user": 0x10000000, "mount": 0x20000, "net": 0x40000000}.items():
    if libc.unshare(flag) == 0:
        print("ESCAPED: unshared", name)
    else:
        print("held:", os.strerror(ctypes.get_errno()))
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
    print("ESCAPED: mounted")
else:
    print("held:", os.strerror(ctypes.get_errno()))
if libc.chroot(b"/") == 0:
    print("ESCAPED: chroot")
