# tries: take all the threads that the machine can have
import threading, time

started = 0
threading.stack_size(65536)
stop = threading.Event()
try:
    for _ in range(40000):
        threading.Thread(target=stop.wait, daemon=True).start()
        started += 1
    print("ESCAPED: %d threads" % started)
except (RuntimeError, MemoryError) as e:
    print("held: %s after %d" % (e, started))
stop.set()
