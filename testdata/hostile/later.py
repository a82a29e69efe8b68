# tries: have a program started later, by cron, at, systemd or a desktop session
import errno, glob, os, shutil, subprocess

for path in ("/etc/cron.d/a", "/var/spool/cron/crontabs/qa", "/var/spool/cron/atjobs/a", "/etc/systemd/system/a.service",
             "/run/systemd/system/a.service", "/usr/lib/systemd/system-generators/a", "/etc/init.d/a", "/etc/rc.local", "/etc/xdg/autostart/a.desktop"):
    try:
        open(path, "w").close()
        print("ESCAPED:", path)
    except OSError as e:
        print("held:", os.path.basename(path), errno.errorcode[e.errno])
for argv in (["crontab", "-"], ["at", "now"], ["systemd-run", "--user", "true"], ["systemd-run", "true"], ["loginctl", "enable-linger"]):
    if shutil.which(argv[0]):
        r = subprocess.run(argv, input=b"* * * * * true\n", capture_output=True, timeout=10)
        print("held:" if r.returncode else "ESCAPED:", " ".join(argv))
