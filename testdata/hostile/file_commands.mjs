// tries: set outputs, environment and path of later steps through the command files
import fs from "node:fs";
const t = JSON.parse(process.env.TARGETS);
for (const name of ["output", "env", "path", "state", "summary"]) {
  try { fs.appendFileSync(`${t.fileCommands}/${name}`, "result=PASS\n"); console.log(`ESCAPED: wrote ${name}`); } catch (e) { console.log(`held: ${e.code}`); }
}
