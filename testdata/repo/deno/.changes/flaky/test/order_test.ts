import { before, later } from "../src/order.ts";
import { equal } from "./equal.ts";

Deno.test("compares numbers, not text", () => {
  equal(before("1.9", "1.10"), true);
});

Deno.test("a tag comes first", () => {
  equal(before("1.0-rc", "1.0"), true);
  equal(before("1.0", "1.0"), false);
});

Deno.test("gives the later one", () => {
  equal(later("1", "2"), "2");
  equal(later("2", "1"), "2");
});

Deno.test("the second time", () => {
  let seen = true;
  try {
    Deno.statSync(".git/flaky-state");
  } catch {
    seen = false;
  }
  Deno.writeTextFileSync(".git/flaky-state", "");
  equal(seen, true);
});
