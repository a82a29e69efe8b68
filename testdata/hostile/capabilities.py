# tries: get rights back that were taken from it
import ctypes, errno, os

libc = ctypes.CDLL(None, use_errno=True)
head = (ctypes.c_uint32 * 2)(0x20080522, 0)
full = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
def tried(name, result):
    print("held: %s %s" % (name, errno.errorcode[ctypes.get_errno()]) if result != 0 else "ESCAPED: " + name)
tried("capset", libc.capset(head, full))
tried("ambient", libc.prctl(47, 2, 21, 0, 0))      # PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN
tried("securebits", libc.prctl(28, 0, 0, 0, 0) if os.getuid() else -1)
if libc.prctl(39, 0, 0, 0, 0) != 1:                # PR_GET_NO_NEW_PRIVS
    print("ESCAPED: new rights are possible")
for name, call in {"setgroups": lambda: os.setgroups([0]), "setgid": lambda: os.setgid(0), "setuid": lambda: os.setuid(0)}.items():
    try:
        call()
        print("ESCAPED:", name)
    except OSError as e:
        print("held:", name, errno.errorcode[e.errno])
