const units = { s: 1, m: 60, h: 3600, d: 86400 }

/** Reads "1h 30m" as a number of seconds. */
export function parse(text) {
  const parts = text.trim().split(/\s+/)
  let seconds = 0
  for (const part of parts) {
    const found = /^(\d+)([smhd])$/.exec(part)
    if (!found) {
      throw new RangeError(`no span of time: ${part}`)
    }
    seconds += Number(found[1]) * units[found[2]]
  }
  return seconds
}
