# tries: use up the names of files that a disk can hold, without filling it
import os

root = "many"
for d in range(1000):
    at = "%s/%d" % (root, d)
    try:
        os.makedirs(at, exist_ok=True)
        for n in range(1000):
            os.close(os.open("%s/%d" % (at, n), os.O_CREAT | os.O_WRONLY))
    except OSError as e:
        print("held:", e)
        break
    if d % 20 == 0:
        print("made", d * 1000, flush=True)
else:
    print("ESCAPED: a million files")
