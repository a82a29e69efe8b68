// Byte ranges of HTTP requests (RFC 9110, section 14).

/** Thrown for a Range header that cannot be satisfied. */
export class RangeError416 extends Error {
  constructor(header, size) {
    super(`range ${header} cannot be satisfied by ${size} bytes`)
    this.status = 416
    this.size = size
  }
}

function number(text) {
  return /^\d+$/.test(text) ? Number(text) : NaN
}

/**
 * Parses a Range header for a resource of `size` bytes. Gives inclusive
 * `{ start, end }` pairs in the order of the header; `null` when the header is
 * no byte range and must be ignored.
 */
export function parseRange(header, size) {
  const eq = header.indexOf('=')
  if (eq < 0 || header.slice(0, eq).trim() !== 'bytes') return null
  const out = []
  for (const part of header.slice(eq + 1).split(',')) {
    const [from, to] = part.trim().split('-')
    let start = number(from)
    let end = number(to ?? '')
    if (from === '') {
      start = Math.max(0, size - end)
      end = size - 1
    } else if (to === '') {
      end = size - 1
    }
    if (end > size - 1) end = size - 1
    if (Number.isNaN(start) || Number.isNaN(end) || start > end) continue
    out.push({ start, end })
  }
  if (out.length === 0) throw new RangeError416(header, size)
  return out
}

/** Joins overlapping and adjacent ranges; the result is sorted by start. */
export function combine(ranges) {
  const sorted = [...ranges].sort((a, b) => a.start - b.start)
  const out = []
  for (const r of sorted) {
    const last = out[out.length - 1]
    if (last && r.start <= last.end + 1) last.end = Math.max(last.end, r.end)
    else out.push({ ...r })
  }
  return out
}

/** The number of bytes that ranges stand for. */
export function length(ranges) {
  return ranges.reduce((sum, r) => sum + r.end - r.start + 1, 0)
}
