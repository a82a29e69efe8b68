# tries: reach outside by directories of other processes, handed on between its own
import array, errno, glob, json, os, socket

t = json.loads(os.environ["TARGETS"])
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
held = got = 0
for link in glob.glob("/proc/[0-9]*/root") + glob.glob("/proc/[0-9]*/cwd") + glob.glob("/proc/[0-9]*/fd/*"):
    try:
        fd = os.open(link, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        held += 1
        continue
    try:
        a.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))])
        _, anc, _, _ = b.recvmsg(1, socket.CMSG_LEN(4))
        passed = array.array("i", anc[0][2][:4])[0]
        for path in (t["credentials"], t["event"]):
            try:
                inside = os.open(path.lstrip("/"), os.O_RDONLY, dir_fd=passed)
                if b"canary-secret" in os.read(inside, 4096):
                    print("ESCAPED: by", link)
                os.close(inside)
            except OSError:
                got += 1
        os.close(passed)
    except OSError:
        pass
    os.close(fd)
print("held: %d links refused, %d led nowhere" % (held, got))
