import { total } from "./cart";

describe("total", () => {
  it("adds", () => {
    expect(total([1, 2])).toBe(3);
  });

  it("waits", async () => {
    vi.useFakeTimers();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(total([])).toBe(0);
  });

  // it.only("is only a comment")
  it("holds", () => {
    checkTotal([1, 2, 3]);
  });
});
