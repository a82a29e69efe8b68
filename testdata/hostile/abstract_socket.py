# tries: talk to a service of the machine by its abstract socket
import json, os, socket
t = json.loads(os.environ["TARGETS"])
try:
    s = socket.socket(socket.AF_UNIX)
    s.connect("\0" + t["abstract"])
    print("ESCAPED: connected")
except OSError as e:
    print("held:", e.strerror)
