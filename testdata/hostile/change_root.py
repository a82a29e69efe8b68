# tries: leave a root directory by descriptors that lie outside of it
import ctypes, errno, os

libc = ctypes.CDLL(None, use_errno=True)
os.makedirs("jail", exist_ok=True)
fd = os.open("/", os.O_RDONLY)
for name, call in {
    "chroot": lambda: libc.chroot(b"jail"),
    "pivot_root": lambda: libc.syscall(155, b"jail", b"jail"),
    "open_tree": lambda: libc.syscall(428, fd, b"", 0x1000 | 1),
    "move_mount": lambda: libc.syscall(429, fd, b"", -100, b"jail", 4),
    "fsopen": lambda: libc.syscall(430, b"tmpfs", 0),
    "mount_setattr": lambda: libc.syscall(442, fd, b"", 0x1000, None, 0),
    "open_by_handle_at": lambda: libc.syscall(304, fd, None, 0),
    "setns": lambda: libc.setns(fd, 0),
}.items():
    if call() >= 0:
        print("ESCAPED:", name)
    else:
        print("held:", name, errno.errorcode[ctypes.get_errno()])
