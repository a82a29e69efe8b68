// tries: reach files outside through links, directly and by having us read or write them
import fs from "node:fs";
import os from "node:os";
const t = JSON.parse(process.env.TARGETS);
try { fs.symlinkSync(t.fileCommands + "/output", t.results + "/junit.xml"); } catch (e) { console.log(`held: ${e.code}`); }
try { fs.symlinkSync(t.fileCommands, "src-link"); fs.appendFileSync("src-link/output", "result=PASS\n"); console.log("ESCAPED: wrote through a link"); } catch (e) { console.log(`held: ${e.code}`); }
try { fs.symlinkSync(t.credentials, os.tmpdir() + "/c"); console.log(`ESCAPED: ${fs.readFileSync(os.tmpdir() + "/c", "utf8")}`); } catch (e) { console.log(`held: ${e.code}`); }
