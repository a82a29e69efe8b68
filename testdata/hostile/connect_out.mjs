// tries: send a secret to another machine, by address and by name
import net from "node:net";
import dns from "node:dns/promises";
const t = JSON.parse(process.env.TARGETS);
for (const [host, port] of [t.listener, ["192.0.2.1", 443], ["::ffff:192.0.2.1", 443], ["2001:db8::1", 443]]) {
  await new Promise((done) => {
    const s = net.connect({ host, port, timeout: 2000 }, () => { console.log(`ESCAPED: connected to ${host}`); s.destroy(); done(); });
    s.on("error", (e) => { console.log(`held: ${e.code}`); done(); });
    s.on("timeout", () => { console.log(`ESCAPED: packets left for ${host}`); s.destroy(); done(); });
  });
}
const resolver = new dns.Resolver({ timeout: 500, tries: 1 });
await resolver.resolve4("canary.example.com").then((a) => console.log(`ESCAPED: resolved ${a}`), (e) => console.log(`held: ${e.code}`));
