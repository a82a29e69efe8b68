# tries: change settings of the kernel, of control groups and of who is killed first
import errno, glob, json, os

t = json.loads(os.environ["TARGETS"])
paths = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/drop_caches", "/proc/sys/vm/overcommit_memory",
         "/proc/sys/kernel/hostname", "/proc/sys/fs/binfmt_misc/register", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper", "/sys/power/state",
         "/proc/%d/oom_score_adj" % t["pid"], "/proc/%d/comm" % t["pid"], "/proc/%d/clear_refs" % t["pid"], "/proc/%d/coredump_filter" % t["pid"]]
paths += glob.glob("/sys/fs/cgroup/*/cgroup.procs") + glob.glob("/sys/fs/cgroup/cgroup.procs") + glob.glob("/sys/fs/cgroup/*/release_agent")
for path in paths:
    try:
        fd = os.open(path, os.O_WRONLY)
        os.close(fd)
        print("ESCAPED:", path)
    except OSError as e:
        print("held:", os.path.basename(path), errno.errorcode[e.errno])
try:
    with open("/proc/self/oom_score_adj", "w") as f:
        f.write("-1000")
    print("ESCAPED: never killed for memory")
except OSError as e:
    print("held:", errno.errorcode[e.errno])
