# tries: hold the port that a test of base needs, so that it fails there too
import os, socket, sys, time

s = socket.socket()
if sys.argv[1] == "head":
    s.bind(("127.0.0.1", 47811))
    s.listen()
    c = socket.create_connection(("127.0.0.1", 47811))
    if os.fork():
        print("held: listening", flush=True)
        os._exit(0)
    os.setsid()
    time.sleep(60)
else:
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        s.bind(("127.0.0.1", 47811))
        print("held: it is free")
    except OSError as e:
        print("ESCAPED:", e.strerror)
