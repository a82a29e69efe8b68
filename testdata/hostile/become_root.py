# tries: become another user, directly or by a set-uid program
import os, subprocess
for f in (lambda: os.setuid(0), lambda: os.setgroups([0]), lambda: os.setresuid(0, 0, 0), lambda: os.chown("file", 0, 0)):
    if os.getuid() == 0:
        print("ESCAPED: is root")
    try:
        f()
        print("ESCAPED: changed identity")
    except OSError as e:
        print("held:", e.strerror)
for argv in (["sudo", "-n", "true"], ["su", "-c", "true"], ["pkexec", "true"]):
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=5)
        print(f"ESCAPED: {argv[0]}" if done.returncode == 0 else f"held: {argv[0]} refused")
    except (OSError, subprocess.TimeoutExpired) as e:
        print("held:", type(e).__name__)
with open("/proc/self/status") as f:
    status = f.read()
if "NoNewPrivs:\t1" not in status:
    print("ESCAPED: new privileges are possible")
