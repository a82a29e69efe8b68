import { expect, it } from "vitest";
import { total } from "./cart.js";

it.only("adds", () => {
  expect(total([]));
});
