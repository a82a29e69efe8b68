// A server and clients on the loopback device and a UNIX socket.
import http from "node:http";
import os from "node:os";
const serve = (at) => new Promise((done) => { const s = http.createServer((_, res) => res.end("pong")).listen(at, () => done(s)); });
const tcp = await serve({ port: 0, host: "127.0.0.1" });
const unix = await serve(os.tmpdir() + "/s");
const { port } = tcp.address();
for (let i = 0; i < 20; i++) console.assert((await (await fetch(`http://localhost:${port}/`)).text()) === "pong");
await new Promise((done) => http.get({ socketPath: os.tmpdir() + "/s", agent: false }, (res) => { res.resume(); res.on("end", done); }));
tcp.close(); unix.close(); tcp.closeAllConnections();
console.log("works");
