# tries: have a device without end read in place of the report
import errno, json, os, stat

name = json.loads(os.environ["TARGETS"])["results"] + "/junit.xml"
try:
    os.mknod(name, 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    print("ESCAPED: made a device")
except OSError as e:
    print("held: mknod", errno.errorcode[e.errno])
    os.symlink("/dev/zero", name)
