# tries: change addresses, routes and filters of the machine's network
import errno, os, socket, struct

def message(kind, body):
    return struct.pack("=IHHII", 16 + len(body), kind, 1 | 4 | 0x400, 1, 0) + body
wanted = {"address": (0, 20, struct.pack("=BBBBI", 2, 32, 0, 0, 1) + struct.pack("=HH4s", 8, 2, bytes([10, 9, 8, 7]))),
          "link": (0, 16, struct.pack("=BBHiII", 0, 0, 0, 1, 0, 1)),
          "audit": (9, 1001, b"\0" * 40), "firewall": (12, 0xA00, b"\0" * 4)}
for name, (family, kind, body) in wanted.items():
    try:
        s = socket.socket(16, socket.SOCK_RAW, family)  # AF_NETLINK
        s.settimeout(1)
        s.bind((0, 0))
        s.send(message(kind, body))
        code = struct.unpack("=i", s.recv(4096)[16:20])[0]
        print("ESCAPED: " + name if code == 0 else "held: %s %s" % (name, errno.errorcode[-code]))
    except OSError as e:
        print("held:", name, errno.errorcode.get(e.errno, "no answer"))
