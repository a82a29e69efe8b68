# tries: keep a service listening under an abstract name for the tests of base
import os, socket, sys, time

s = socket.socket(socket.AF_UNIX)
if sys.argv[1] == "head":
    s.bind("\0qa-from-head")
    s.listen()
    if os.fork():
        print("held: listening", flush=True)
        os._exit(0)
    os.setsid()
    time.sleep(60)
else:
    try:
        s.connect("\0qa-from-head")
        print("ESCAPED: connected")
    except OSError as e:
        print("held:", e.strerror)
