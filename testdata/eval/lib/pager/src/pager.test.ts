import { describe, expect, it } from 'vitest'
import { all, find, type Page } from './pager'

const pages: Record<string, Page<number>> = {
  first: { items: [1, 2], next: 'b' },
  b: { items: [3], next: 'c' },
  c: { items: [4] },
}
const fetch = async (cursor = 'first') => pages[cursor]

describe('pager', () => {
  it('reads all pages', async () => {
    expect(await all(fetch)).toEqual([1, 2, 3, 4])
  })
  it('keeps to the limit', async () => {
    expect(await all(fetch, 3)).toEqual([1, 2, 3])
  })
  it('finds', async () => {
    expect(await find(fetch, (n) => n > 2)).toBe(3)
    expect(await find(fetch, (n) => n > 9)).toBeUndefined()
  })
})
