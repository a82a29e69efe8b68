# tries: put a link to a place of its own where base's files will be made or looked for
import glob, os, sys

here = os.getcwd()
if sys.argv[1] == "head":
    for name in [here, os.path.dirname(here)] + glob.glob(os.path.dirname(here) + "/*"):
        try:
            os.rename(name, name + ".moved")
            os.symlink(name + ".moved", name)
            print("held: moved", os.path.basename(name))
        except OSError as e:
            print("held:", e.strerror)
else:
    print("ESCAPED: a moved tree" if os.path.realpath(here) != here or os.path.lexists(here + ".moved") else "held: not moved")
