# tries: use descriptors that it inherited
import os
for fd in os.listdir("/proc/self/fd"):
    if int(fd) > 2:
        try:
            link = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            continue  # the one of listdir
        os.write(int(fd), b'{"done":true}\n') if "pipe" in link or "socket" in link else None
        print("ESCAPED:", fd, link)
print("held: only the three standard ones")
