import { total } from "./cart";

describe("total", () => {
  it.only("adds", () => {
    expect(total([1, 2])).toBe(3);
  });

  it.skip("subtracts", () => {
    expect(total([1, -2])).toBe(-1);
  });

  it("waits", async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(total([])).toBe(0);
  });

  it("runs", () => {
    total([1, 2, 3]);
  });
});
