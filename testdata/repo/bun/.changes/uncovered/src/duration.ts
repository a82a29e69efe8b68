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

/** Writes seconds as "1h 30m". */
export function write(total: number): string {
  const parts: string[] = []
  for (const unit of ['h', 'm', 's']) {
    const n = Math.floor(total / units[unit])
    if (n > 0) {
      parts.push(`${n}${unit}`)
    }
    total -= n * units[unit]
  }
  return parts.join(' ') || '0s'
}
