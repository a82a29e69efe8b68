// Builds HTML text from small trees: h('a', { href }, 'text').

const VOID = new Set(['br', 'hr', 'img', 'input', 'link', 'meta'])
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Marks text that is HTML already and is written as it is. */
export class Raw {
  constructor(html) {
    this.html = html
  }
}

/** Makes a text safe inside elements and quoted attributes. */
export function escape(text) {
  return String(text).replace(/[&<>"]/g, (c) => ESCAPES[c])
}

function attributes(attrs) {
  let out = ''
  for (const [name, value] of Object.entries(attrs)) {
    if (value === null || value === undefined || value === false) continue
    out += value === true ? ` ${name}` : ` ${name}="${escape(value)}"`
  }
  return out
}

function children(nodes) {
  return nodes
    .flat(Infinity)
    .filter((n) => n !== null && n !== undefined && n !== false)
    .map((n) => (n instanceof Raw ? n.html : escape(n)))
    .join('')
}

/** An element; children that are strings are escaped. */
export function h(tag, attrs, ...nodes) {
  const open = `<${tag}${attributes(attrs ?? {})}>`
  if (VOID.has(tag)) return new Raw(open)
  return new Raw(`${open}${children(nodes)}</${tag}>`)
}

/** The HTML text of a tree. */
export function render(node) {
  return node instanceof Raw ? node.html : escape(node)
}

/** A table row for each record, a cell for each column. */
export function rows(records, columns) {
  return records.map((r) => h('tr', null, columns.map((c) => h('td', null, r[c] ?? ''))))
}
