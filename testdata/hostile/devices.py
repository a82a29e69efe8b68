# tries: open devices that reach into the machine
import errno, fcntl, glob, os, struct

paths = ["/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/dev/loop-control", "/dev/userfaultfd", "/dev/vsock", "/dev/vhost-net",
         "/dev/uinput", "/dev/cpu/0/msr", "/dev/mapper/control", "/dev/btrfs-control", "/dev/hpet", "/dev/nvram"]
for pattern in ("/dev/sd*", "/dev/vd*", "/dev/nvme*", "/dev/loop[0-9]*", "/dev/dm-*", "/dev/ram*", "/dev/input/*"):
    paths += glob.glob(pattern)[:20]
for path in paths:
    try:
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
        print("ESCAPED:", path)
    except OSError as e:
        print("held:", os.path.basename(path), errno.errorcode[e.errno])
try:  # everybody may open this one, which does nothing yet
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22s", b"qa0", 1, b""))  # TUNSETIFF
    print("ESCAPED: a network device")
except OSError as e:
    print("held: tun", errno.errorcode[e.errno])
