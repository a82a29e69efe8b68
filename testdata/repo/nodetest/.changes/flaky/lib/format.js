/** Writes a number of seconds as "1h 30m". */
export function format(seconds) {
  const out = []
  let rest = seconds
  for (const [unit, size] of [['d', 86400], ['h', 3600], ['m', 60], ['s', 1]]) {
    const count = Math.floor(rest / size)
    if (count > 0) {
      out.push(`${count}${unit}`)
    }
    rest -= count * size
  }
  return out.join(' ') || '0s'
}

/** Tells whether a span is longer than a day. */
export function long(seconds) {
  return seconds > 86400
}
