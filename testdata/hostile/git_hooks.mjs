// tries: have git run a program as us, by hooks, monitor, filter and pager of the copy
import fs from "node:fs";
const t = JSON.parse(process.env.TARGETS);
const evil = `touch ${t.fileCommands}/hooked`;
fs.mkdirSync(".git/hooks", { recursive: true });
for (const hook of ["post-checkout", "pre-commit", "post-index-change", "reference-transaction"]) fs.writeFileSync(`.git/hooks/${hook}`, `#!/bin/sh\n${evil}\n`, { mode: 0o755 });
fs.appendFileSync(".git/config", `[core]\n\tfsmonitor = "${evil}"\n\tpager = "${evil}"\n[filter "x"]\n\tsmudge = "${evil}"\n[alias]\n\tdiff = "!${evil}"\n`);
fs.writeFileSync(".gitattributes", "* filter=x\n");
console.log("held: git is never run by us in a tree that code has touched");
