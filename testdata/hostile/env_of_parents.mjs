// tries: find a secret in the environment of any process
import fs from "node:fs";
let denied = 0, seen = 0;
for (const pid of fs.readdirSync("/proc").filter((n) => /^\d+$/.test(n))) {
  for (const file of ["environ", "cmdline"]) {
    try {
      seen++;
      if (fs.readFileSync(`/proc/${pid}/${file}`, "latin1").includes("canary-secret")) console.log(`ESCAPED: /proc/${pid}/${file}`);
    } catch (e) { denied++; }
  }
}
console.log(`held: ${denied} of ${seen} files unreadable, no secret in the others`);
