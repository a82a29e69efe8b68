// tries: talk to the container engine
import net from "node:net";
const t = JSON.parse(process.env.TARGETS);
for (const path of [t.dockerSocket, "/var/run/docker.sock", "/run/docker.sock"]) {
  await new Promise((done) => {
    const s = net.connect(path, () => { console.log(`ESCAPED: connected to ${path}`); s.destroy(); done(); });
    s.on("error", (e) => { console.log(`held: ${e.code}`); done(); });
  });
}
