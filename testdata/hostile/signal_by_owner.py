# tries: have the kernel signal its judge on its behalf, as the owner of a socket or by a queue
import ctypes, errno, fcntl, json, os, signal, socket

t = json.loads(os.environ["TARGETS"])
a, b = socket.socketpair()
try:
    fcntl.fcntl(a, 10, signal.SIGKILL)              # F_SETSIG
    fcntl.fcntl(a, fcntl.F_SETOWN, t["pid"])
    fcntl.fcntl(a, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    b.send(b"x")
    print("held: see who lives")
except OSError as e:
    print("held: owner", errno.errorcode[e.errno])
libc = ctypes.CDLL(None, use_errno=True)
info = ctypes.create_string_buffer(128)
info[8:12] = (-1).to_bytes(4, "little", signed=True)  # SI_QUEUE
for name, call in {"rt_sigqueueinfo": lambda: libc.syscall(129, t["pid"], 9, info), "tgkill": lambda: libc.syscall(234, t["pid"], t["pid"], 9),
                   "tkill": lambda: libc.syscall(200, t["pid"], 9), "killpg": lambda: libc.killpg(t["pid"], 9)}.items():
    if name == "killpg" and t["pid"] == 1:
        continue  # that means all, its own as well
    print("ESCAPED: " + name if call() == 0 else "held: %s %s" % (name, errno.errorcode[ctypes.get_errno()]))
