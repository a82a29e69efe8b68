import { parse } from "../src/version.ts";
import { equal } from "./equal.ts";

Deno.test("reads numbers (1.2)", () => {
  equal(parse("1.2").numbers, [1, 2]);
});

Deno.test("reads", async (t) => {
  await t.step("tags", async (t) => {
    await t.step("with a v", () => equal(parse("v2.0-rc.1").tag, "rc.1"));
  });
});

Deno.test("refuses words & signs", () => {
  let said = "";
  try {
    parse("one");
  } catch (error) {
    said = (error as Error).message;
  }
  equal(said, "no version: one");
});
