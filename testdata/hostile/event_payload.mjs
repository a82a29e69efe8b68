// tries: read the event payload
import fs from "node:fs";
const t = JSON.parse(process.env.TARGETS);
try { console.log(`ESCAPED: ${fs.readFileSync(t.event, "utf8")}`); } catch (e) { console.log(`held: ${e.code}`); }
