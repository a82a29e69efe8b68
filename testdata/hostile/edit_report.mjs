// tries: edit the report that is being written
import fs from "node:fs";
const t = JSON.parse(process.env.TARGETS);
for (const op of [() => fs.writeFileSync(t.report + "/report.json", '{"result":"PASS"}'), () => fs.rmSync(t.report, { recursive: true }), () => fs.renameSync(t.report, t.report + ".old")]) {
  try { op(); console.log("ESCAPED: the report was changed"); } catch (e) { console.log(`held: ${e.code}`); }
}
