/** Writes parameters as a query string, in the order of their names. */
export function query(params) {
  const pairs = []
  for (const name of Object.keys(params).sort()) {
    const value = params[name]
    if (value === undefined || value === null) {
      continue
    }
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  }
  return pairs.length ? `?${pairs.join('&')}` : ''
}

/** Reads one parameter of a query string; undefined when it is absent. */
export function read(text, name) {
  for (const pair of text.replace(/^\?/, '').split('&')) {
    const [key, value = ''] = pair.split('=')
    if (decodeURIComponent(key) === name) {
      return decodeURIComponent(value)
    }
  }
  return undefined
}
