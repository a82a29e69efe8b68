# tries: have a secret read as the report, by a second name for its file
import errno, json, os

t = json.loads(os.environ["TARGETS"])
for path in (t["credentials"], t["event"], t["checkout"] + "/.git/config"):
    for follow in (True, False):
        try:
            os.link(path, t["results"] + "/junit.xml", follow_symlinks=follow)
            print("ESCAPED:", path)
        except OSError as e:
            print("held:", errno.errorcode[e.errno])
