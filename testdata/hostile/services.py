# tries: talk to services of the machine by their sockets: buses, agents, container engines
import errno, glob, os, socket

paths = {"/run/dbus/system_bus_socket", "/run/systemd/private", "/run/systemd/notify", "/run/containerd/containerd.sock", "/run/podman/podman.sock",
         "/run/docker.sock", "/run/snapd.socket", "/run/user/0/bus", "/run/crio/crio.sock", "/run/buildkit/buildkitd.sock"}
for pattern in ("/tmp/ssh-*/agent*", "/run/user/*/*", "/run/*/*.sock", "/run/*.sock", "/tmp/.X11-unix/*", "/tmp/*.sock"):
    paths.update(glob.glob(pattern))
try:
    with open("/proc/net/unix") as f:
        paths.update(w[7].strip() for w in (line.split() for line in f) if len(w) > 7)
except OSError:
    pass
own = os.environ.get("TMPDIR", "/nowhere")
for path in sorted(paths):
    if path.startswith(own) or not path.startswith(("/", "@")):
        continue
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(1)
    try:
        s.connect("\0" + path[1:] if path.startswith("@") else path)
        print("ESCAPED:", path)
    except OSError as e:
        print("held:", errno.errorcode.get(e.errno, "no answer"))
    s.close()
print("held: %d sockets" % len(paths))
