# tries: lower the limits of those who judge it, and then its own
import errno, json, os, resource

t = json.loads(os.environ["TARGETS"])
for pid in {1, os.getppid(), t["pid"]}:
    for name in ("RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_NPROC", "RLIMIT_CPU"):
        try:
            soft, hard = resource.prlimit(pid, getattr(resource, name))
            resource.prlimit(pid, getattr(resource, name), (min(soft, 3) if soft > 0 else 3, hard))
        except OSError as e:
            print("held:", name, errno.errorcode[e.errno])
            continue
        # The first process of its own tree is no one's but its own.
        print("held: its own tree" if pid in (1, os.getppid()) else "ESCAPED: " + name + " of " + str(pid))
for name in ("RLIMIT_NOFILE", "RLIMIT_FSIZE"):
    try:
        resource.setrlimit(getattr(resource, name), (3, 3))
    except (OSError, ValueError) as e:
        print("held:", name, e)
print("held: only its own are lower")
