import { parse } from './range.js'

/** Joins "1-3, 2-5, 9" to the ranges that do not touch. */
export function join(text) {
  const ranges = text.split(',').map(parse).sort((a, b) => a.from - b.from)
  const out = []
  for (const range of ranges) {
    const last = out.at(-1)
    if (last && range.from <= last.to + 1) {
      last.to = Math.max(last.to, range.to)
    } else {
      out.push(range)
    }
  }
  return out
}
