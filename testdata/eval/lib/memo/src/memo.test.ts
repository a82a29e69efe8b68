import { describe, expect, it } from 'vitest'
import { keyOf, Memo, type Query } from './memo'

const query = (text: string, more: Partial<Query> = {}): Query => ({ text, page: 1, locale: 'en', tags: [], ...more })

describe('Memo', () => {
  it('asks once', () => {
    let asked = 0
    const memo = new Memo<number>(2, 100, () => 0)
    memo.get(query('a'), () => ++asked)
    expect(memo.get(query('a'), () => ++asked)).toBe(1)
  })
  it('forgets in time', () => {
    let now = 0
    const memo = new Memo<number>(2, 100, () => now)
    memo.get(query('a'), () => 1)
    now = 100
    expect(memo.get(query('a'), () => 2)).toBe(2)
  })
  it('drops the oldest', () => {
    const memo = new Memo<number>(1, 100, () => 0)
    memo.get(query('a'), () => 1)
    memo.get(query('b'), () => 2)
    expect(memo.get(query('a'), () => 3)).toBe(3)
  })
  it('tells pages and tags apart', () => {
    expect(keyOf(query('a', { page: 2 }))).not.toBe(keyOf(query('a')))
    expect(keyOf(query('a', { tags: ['x', 'y'] }))).toBe(keyOf(query('a', { tags: ['y', 'x'] })))
  })
})
