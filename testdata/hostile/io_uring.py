# tries: get around filtered system calls by io_uring
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
params = ctypes.create_string_buffer(120)
fd = libc.syscall(425, 8, params)
print("ESCAPED: io_uring" if fd >= 0 else f"held: {os.strerror(ctypes.get_errno())}")
