// Reads lists that an API gives page by page.

export interface Page<T> {
  items: T[]
  next?: string
}

export type Fetch<T> = (cursor?: string) => Promise<Page<T>>

export class PageError extends Error {
  readonly cursor?: string

  constructor(cursor: string | undefined, cause: unknown) {
    super(`page ${cursor ?? 'first'} could not be read`, { cause })
    this.cursor = cursor
  }
}

async function read<T>(fetch: Fetch<T>, cursor?: string): Promise<Page<T>> {
  try {
    return await fetch(cursor)
  } catch (err) {
    throw new PageError(cursor, err)
  }
}

/** All items of all pages, in order; at most `limit` of them. */
export async function all<T>(fetch: Fetch<T>, limit = Infinity): Promise<T[]> {
  const out: T[] = []
  let cursor: string | undefined
  do {
    const page = await read(fetch, cursor)
    out.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined && out.length < limit)
  return out.slice(0, limit)
}

/** The first item that fits; later pages are not read. */
export async function find<T>(fetch: Fetch<T>, fits: (item: T) => boolean): Promise<T | undefined> {
  let cursor: string | undefined
  do {
    const page = await read(fetch, cursor)
    const found = page.items.find(fits)
    if (found !== undefined) return found
    cursor = page.next
  } while (cursor !== undefined)
  return undefined
}
