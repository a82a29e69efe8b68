import { expect, it } from "vitest";
import { total } from "./cart.js";

it("adds", () => {
  expect(total([])).toBe(0);
});
