# tries: write one huge file
import os, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    with open(os.path.join(os.environ["TMPDIR"], "huge"), "wb") as f:
        f.truncate(1 << 40)
    print("ESCAPED: made a file of 1 TiB")
except OSError as e:
    print("held:", e.strerror)
