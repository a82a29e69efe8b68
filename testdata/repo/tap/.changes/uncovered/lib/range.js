/** Reads "3-7" as its two ends, both of them part of the range. */
export function parse(text) {
  const found = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(text)
  if (!found) {
    throw new SyntaxError(`no range: ${text}`)
  }
  const from = Number(found[1])
  const to = found[2] === undefined ? from : Number(found[2])
  return { from: Math.min(from, to), to: Math.max(from, to) }
}

/** Tells how many numbers a range has. */
export function size({ from, to }) {
  return to - from + 1
}

/** Tells how a number lies to a range. */
export function side({ from, to }, number) {
  if (number < from) {
    return 'before'
  }
  if (number > to) {
    return 'after'
  }
  return 'inside'
}
