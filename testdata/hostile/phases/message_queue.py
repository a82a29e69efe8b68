# tries: leave a message queue that base finds by its name
import ctypes, sys

try:
    rt = ctypes.CDLL("librt.so.1", use_errno=True)
except OSError:
    rt = ctypes.CDLL(None, use_errno=True)
class attributes(ctypes.Structure):
    _fields_ = [(n, ctypes.c_long) for n in ("flags", "most", "size", "now", "a", "b", "c", "d")]
if sys.argv[1] == "head":
    q = rt.mq_open(b"/qa-from-head", 0o102, 0o666, ctypes.byref(attributes(0, 4, 64)))
    print("held: made" if q >= 0 else "held: refused")
else:
    print("ESCAPED: found" if rt.mq_open(b"/qa-from-head", 2) >= 0 else "held: none")
