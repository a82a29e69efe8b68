// Remembers the results of searches for a while.

export interface Query {
  text: string
  page: number
  locale: string
  tags: string[]
}

interface Entry<T> {
  value: T
  until: number
}

/** A memory of at most `size` results, each kept for `ttl` milliseconds. */
export class Memo<T> {
  private entries = new Map<string, Entry<T>>()
  private size: number
  private ttl: number
  private now: () => number

  constructor(size: number, ttl: number, now: () => number = Date.now) {
    this.size = size
    this.ttl = ttl
    this.now = now
  }

  /** The remembered result of a query, else that of `search`. */
  get(query: Query, search: (q: Query) => T): T {
    const key = keyOf(query)
    const known = this.entries.get(key)
    if (known && known.until > this.now()) {
      this.entries.delete(key)
      this.entries.set(key, known)
      return known.value
    }
    const value = search(query)
    this.entries.delete(key)
    this.entries.set(key, { value, until: this.now() + this.ttl })
    if (this.entries.size > this.size) {
      this.entries.delete(this.entries.keys().next().value as string)
    }
    return value
  }

  /** Forgets everything. */
  clear(): void {
    this.entries.clear()
  }
}

/** Equal queries have equal keys; the order of tags has no meaning. */
export function keyOf(query: Query): string {
  return JSON.stringify([query.text.trim(), query.page, query.locale, [...query.tags].sort()])
}
