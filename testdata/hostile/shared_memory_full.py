# tries: fill the machine's shared memory
import errno, os

before = os.statvfs("/dev/shm") if os.path.isdir("/dev/shm") else None
total, chunk = 0, b"x" * (1 << 20)
try:
    with open("/dev/shm/hoard", "wb") as f:
        for _ in range(2000):
            total += f.write(chunk)
    print("ESCAPED: %d MB" % (total >> 20))
except OSError as e:
    print("held: %s after %d MB" % (errno.errorcode[e.errno], total >> 20))
    try:
        os.remove("/dev/shm/hoard")
    except OSError:
        pass
