# tries: have a library of its own loaded into every program that starts after it
import errno, json, os

t = json.loads(os.environ["TARGETS"])
for path in ("/etc/ld.so.preload", "/etc/ld.so.cache", "/etc/ld.so.conf.d/a.conf", "/etc/environment", "/etc/profile.d/a.sh",
             t["home"] + "/.bashrc", t["home"] + "/.pam_environment", t["fileCommands"] + "/env"):
    try:
        with open(path, "a") as f:
            f.write("LD_PRELOAD=" + os.getcwd() + "/clock.so\n")
        # In mounts of its own a path may lead to nobody else's file.
        print("held: wrote", path) if path.startswith(t["home"]) else print("ESCAPED:", path)
    except OSError as e:
        print("held:", path, errno.errorcode[e.errno])
