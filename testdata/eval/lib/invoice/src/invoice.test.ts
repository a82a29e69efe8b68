import { describe, expect, it } from 'vitest'
import { amount, cents, totals } from './invoice'

describe('invoice', () => {
  it('reads amounts', () => {
    expect(cents('12.5')).toBe(1250)
    expect(cents('1,299.00')).toBe(129900)
    expect(cents('-3')).toBe(-300)
    expect(() => cents('abc')).toThrow(RangeError)
  })
  it('writes amounts', () => {
    expect(amount(1250)).toBe('12.50')
    expect(amount(-5)).toBe('-0.05')
  })
  it('sums up', () => {
    const line = { text: 'pen', cents: 250, pieces: 2, taxPercent: 20 }
    expect(totals([line])).toEqual({ net: 500, tax: 100, gross: 600 })
  })
})
