// tries: flood the log
import fs from "node:fs";
const block = Buffer.alloc(1 << 20, "x");
for (let i = 0; i < 1024; i++) fs.writeSync(1, block);
fs.writeSync(1, "\nheld: see how much was kept\n");
