# tries: have the kernel write a picture of its memory where others read it
import os, resource, subprocess, sys

try:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print("the limit is off")
except (OSError, ValueError) as e:
    print("held:", e)
for where in ("/", "/tmp", os.getcwd()):
    subprocess.run([sys.executable, "-c", "import os; os.abort()"], cwd=where)
print("held: see what changed")
