# tries: use up the files that the machine can have open
import errno, os

names, held, children = "/proc/sys/fs/file-nr", [], []
def used():
    with open(names) as f:
        return [int(n) for n in f.read().split()]

for _ in range(16):
    pid = os.fork()
    if pid == 0:
        try:
            while True:
                held.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            import time
            time.sleep(1.5)
        os._exit(0)
    children.append(pid)
import time
time.sleep(1)
now = used()
print("ESCAPED: every file of the machine is taken" if now[0] >= now[2] else "held: %d of %d" % (now[0], now[2]))
for pid in children:
    os.waitpid(pid, 0)
