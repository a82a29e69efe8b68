/** Writes parameters as a query string, in the order of their names. */
export function query(params) {
  /** @type {string[]} */
  const pairs = new Array()
  for (const name of Object.keys(params).sort()) {
    const value = params[name]
    if (value === undefined || value === null) {
      continue
    }
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  }
  return pairs.length ? `?${pairs.join('&')}` : ''
}
