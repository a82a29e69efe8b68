// The Link header (RFC 8288), as paged APIs use it.

/** Thrown for a header that is not a list of links. */
export class LinkError extends Error {}

function splitOutside(text, separator) {
  const out = []
  let until = ''
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (until !== '') {
      if (c === until) until = ''
    } else if (c === '"') until = '"'
    else if (c === '<') until = '>'
    else if (c === separator) {
      out.push(text.slice(start, i))
      start = i + 1
    }
  }
  out.push(text.slice(start))
  return out.map((s) => s.trim()).filter((s) => s !== '')
}

function unquote(text) {
  return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

/** Reads a Link header into `{ url, rel, ...parameters }` objects. */
export function parseLinks(header) {
  return splitOutside(header, ',').map((part) => {
    const [target, ...params] = splitOutside(part, ';')
    if (!target.startsWith('<') || !target.endsWith('>')) throw new LinkError(`no link target in ${part}`)
    const link = { url: target.slice(1, -1) }
    for (const p of params) {
      const eq = p.indexOf('=')
      if (eq < 0) link[p.toLowerCase()] = ''
      else link[p.slice(0, eq).trim().toLowerCase()] = unquote(p.slice(eq + 1).trim())
    }
    return link
  })
}

/** The url of the first link with a relation; undefined when there is none. */
export function rel(links, name) {
  return links.find((l) => (l.rel ?? '').split(' ').includes(name))?.url
}

/** Writes links as a header. */
export function formatLinks(links) {
  return links
    .map(({ url, ...params }) => [`<${url}>`, ...Object.entries(params).map(([k, v]) => `${k}="${v}"`)].join('; '))
    .join(', ')
}
