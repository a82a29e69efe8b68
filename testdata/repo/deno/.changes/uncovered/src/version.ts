export interface Version {
  numbers: number[];
  tag: string;
}

/** Reads "1.2.0-rc" as its numbers and its tag. */
export function parse(text: string): Version {
  const found = /^v?(\d+(?:\.\d+)*)(?:-(.+))?$/.exec(text);
  if (!found) {
    throw new SyntaxError(`no version: ${text}`);
  }
  return { numbers: found[1].split(".").map(Number), tag: found[2] ?? "" };
}

/** Writes a version as text. */
export function write(version: Version): string {
  const numbers = version.numbers.join(".");
  if (version.tag) {
    return `${numbers}-${version.tag}`;
  }
  return numbers;
}
