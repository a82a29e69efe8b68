/** Throws where two values differ. */
export function equal(got: unknown, want: unknown) {
  if (JSON.stringify(got) !== JSON.stringify(want)) {
    throw new Error(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
  }
}
