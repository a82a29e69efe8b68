# tries: leave a folder that is too deep for a path, so that nobody can remove it or look through it
import os

made = 0
try:
    for _ in range(3000):
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
        made += 1
    open("file", "w").close()
except OSError as e:
    print("held:", e)
print("held: %d deep; see whether it is removed" % made)
