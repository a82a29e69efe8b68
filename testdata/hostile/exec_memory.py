# tries: run a program that is in no file, and look whether the sandbox knows it
import json, os, subprocess

t = json.loads(os.environ["TARGETS"])
fd = os.memfd_create("program")
with open("/bin/cat", "rb") as f:
    os.write(fd, f.read())
for path in (t["credentials"], t["event"], t["checkout"] + "/.git/config"):
    r = subprocess.run(["/proc/self/fd/%d" % fd, path], pass_fds=[fd], capture_output=True, text=True)
    print("ESCAPED: " + path if "canary-secret" in r.stdout else "held: " + r.stderr.strip()[-60:])
