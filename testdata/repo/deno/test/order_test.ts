import { before } from "../src/order.ts";
import { equal } from "./equal.ts";

Deno.test("compares numbers, not text", () => {
  equal(before("1.9", "1.10"), true);
});

Deno.test("a tag comes first", () => {
  equal(before("1.0-rc", "1.0"), true);
  equal(before("1.0", "1.0"), false);
});
