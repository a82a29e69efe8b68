# tries: take memory that no process has in its address space
import errno, os

chunk, fds, total = b"x" * (1 << 20), [], 0
try:
    for _ in range(3):
        fd = os.memfd_create("hoard")
        fds.append(fd)
        for _ in range(700):
            total += os.write(fd, chunk)
    import time
    time.sleep(1)
    print("ESCAPED: %d MB" % (total >> 20))
except OSError as e:
    print("held: %s after %d MB" % (errno.errorcode[e.errno], total >> 20))
