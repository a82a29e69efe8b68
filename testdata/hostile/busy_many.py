# tries: keep every processor busy with many processes, 150 at most
import os, time
end = time.time() + 60
for _ in range(149):
    try:
        if os.fork() == 0:
            break
    except OSError:
        time.sleep(0.01)
while time.time() < end:
    pass
