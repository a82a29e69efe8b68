// tries: change the product's source in the checkout
import fs from "node:fs";
const t = JSON.parse(process.env.TARGETS);
for (const file of ["/file", "/planted.js", "/.git/config"]) {
  try { fs.appendFileSync(t.checkout + file, "planted\n"); console.log(`ESCAPED: changed ${file}`); } catch (e) { console.log(`held: ${e.code}`); }
}
try { fs.rmSync(t.checkout, { recursive: true }); console.log("ESCAPED: removed the checkout"); } catch (e) { console.log(`held: ${e.code}`); }
