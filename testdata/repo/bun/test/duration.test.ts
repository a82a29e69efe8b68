import { describe, expect, test } from 'bun:test'
import { seconds } from '../src/duration'

describe('seconds', () => {
  test('reads one part', () => {
    expect(seconds('90s')).toBe(90)
  })

  describe('of several parts', () => {
    test.each([['1h 30m', 5400], ['2m 5s', 125]])('adds up %s', (text, want) => {
      expect(seconds(text)).toBe(want)
    })
  })

  test('refuses (words) & signs', () => {
    expect(() => seconds('-3m')).toThrow(SyntaxError)
  })
})
