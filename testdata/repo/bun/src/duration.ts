const units: Record<string, number> = { s: 1, m: 60, h: 3600 }

/** Reads "1h 30m" as seconds. */
export function seconds(text: string): number {
  let total = 0
  for (const part of text.trim().split(/\s+/)) {
    const found = /^(\d+)([smh])$/.exec(part)
    if (!found) {
      throw new SyntaxError(`no duration: ${part}`)
    }
    total += Number(found[1]) * units[found[2]]
  }
  return total
}
