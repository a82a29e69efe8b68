// tries: read the credentials file that the checkout step left
import fs from "node:fs";
const t = JSON.parse(process.env.TARGETS);
for (const file of [t.credentials, t.home + "/.docker/config.json", t.home + "/.ssh/id_ed25519"]) {
  try { console.log(`ESCAPED: ${file}: ${fs.readFileSync(file, "utf8")}`); } catch (e) { console.log(`held: ${e.code}`); }
}
