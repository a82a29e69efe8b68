# A server and clients on the loopback device and a UNIX socket.
import asyncio, os, socket, threading, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

class Pong(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"pong")

server = HTTPServer(("127.0.0.1", 0), Pong)
threading.Thread(target=server.serve_forever, daemon=True).start()
for _ in range(20):
    assert urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/").read() == b"pong"

async def ask():
    reader, writer = await asyncio.open_connection("127.0.0.1", server.server_port)
    writer.write(b"GET / HTTP/1.0\r\n\r\n")
    assert (await reader.read()).endswith(b"pong")
asyncio.run(ask())
path = os.environ["TMPDIR"] + "/s"
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
client = socket.socket(socket.AF_UNIX)
client.connect(path)
accepted, _ = listener.accept()
client.sendall(b"x")
assert accepted.recv(1) == b"x"
try:
    socket.create_connection(("127.0.0.1", 1))
except ConnectionRefusedError:
    print("works")
