# tries: have a file of many gigabytes without content read as the report
import errno, json, os

name = json.loads(os.environ["TARGETS"])["results"] + "/junit.xml"
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open(name, "wb") as f:
    try:
        f.truncate(64 << 30)
        print("ESCAPED: made it")
    except OSError as e:
        print("held:", errno.errorcode[e.errno])
os.remove(name)
