import { describe, expect, it } from 'vitest'
import { add, format, money } from './money'

describe('money', () => {
  it('keeps whole cents', () => {
    expect(money(250, 'EUR')).toEqual({ cents: 250, currency: 'EUR' })
  })

  it('rejects fractions of a cent', () => {
    expect(() => money(2.5, 'EUR')).toThrow(RangeError)
  })

  it('adds amounts of one currency', () => {
    expect(add(money(250, 'EUR'), money(50, 'EUR'))).toEqual(money(300, 'EUR'))
  })

  it('refuses to mix currencies', () => {
    expect(() => add(money(1, 'EUR'), money(1, 'USD'))).toThrow('cannot add USD to EUR')
  })
})

describe('format', () => {
  it.each([
    [5, '0.05 EUR'],
    [1234, '12.34 EUR'],
    [-99, '-0.99 EUR'],
  ])('writes %i cents as %s', (cents, text) => {
    expect(format(money(cents, 'EUR'))).toBe(text)
  })
})
