# tries: move the clock, so that time limits, ages of files and certificates are judged wrong
import ctypes, errno, os, time

libc = ctypes.CDLL(None, use_errno=True)
spec = (ctypes.c_long * 2)(1, 0)
was, ticks = time.time(), time.monotonic()
blank = ctypes.create_string_buffer(256)
blank[0] = b"\x02"  # ADJ_FREQUENCY
for name, call in {
    "settimeofday": lambda: libc.settimeofday(spec, None),
    "clock_settime": lambda: libc.clock_settime(0, spec),
    "adjtimex": lambda: libc.adjtimex(blank),
    "clock_adjtime": lambda: libc.clock_adjtime(0, blank),
}.items():
    if call() >= 0:
        print("ESCAPED:", name)
    else:
        print("held:", name, errno.errorcode[ctypes.get_errno()])
for path in ("/etc/localtime", "/etc/timezone", "/dev/rtc0"):
    try:
        open(path, "r+b").close()
        print("ESCAPED:", path)
    except OSError as e:
        print("held:", path, errno.errorcode[e.errno])
if abs((time.time() - was) - (time.monotonic() - ticks)) > 5:
    print("ESCAPED: the clock was moved")
