/** Compiles "/users/:id" into a matcher that returns the parameters or null. */
export function compile(pattern) {
  if (!pattern.startsWith('/')) {
    throw new TypeError(`a pattern begins with a slash: ${pattern}`)
  }
  const names = []
  const source = pattern
    .split('/')
    .map((part) => {
      if (part.startsWith(':')) {
        names.push(part.slice(1))
        return '([^/]+)'
      }
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    })
    .join('/')
  const expression = new RegExp(`^${source}$`)
  return (path) => {
    const match = expression.exec(path)
    if (!match) {
      return null
    }
    return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1])]))
  }
}
