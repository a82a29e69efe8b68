import { parse } from "./version.ts";

/** Tells whether a version comes before another. */
export function before(a: string, b: string): boolean {
  const one = parse(a);
  const other = parse(b);
  for (let i = 0; i < Math.max(one.numbers.length, other.numbers.length); i++) {
    const by = (one.numbers[i] ?? 0) - (other.numbers[i] ?? 0);
    if (by !== 0) {
      return by < 0;
    }
  }
  return one.tag !== "" && other.tag === "";
}

/** Gives the later of two versions. */
export function later(a: string, b: string): string {
  return before(a, b) ? b : a;
}
