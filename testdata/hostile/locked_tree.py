# tries: leave folders that their owner cannot look into, so that nobody can remove them
import os

for n in range(50):
    os.makedirs("locked/%d/in" % n, exist_ok=True)
    open("locked/%d/in/file" % n, "w").close()
    os.chmod("locked/%d/in/file" % n, 0)
    os.chmod("locked/%d/in" % n, 0)
    os.chmod("locked/%d" % n, 0)
os.chmod("locked", 0)
print("held: see whether they are removed")
