import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Cart } from './cart'
import { money } from './money'

const pen = { sku: 'pen', price: money(120, 'EUR'), quantity: 2 }

describe('Cart', () => {
  it('is worth nothing when empty', () => {
    expect(new Cart('EUR').total()).toEqual(money(0, 'EUR'))
  })

  it('sums price times quantity', () => {
    const cart = new Cart('EUR')
    cart.put(pen)
    expect(cart.total()).toEqual(money(240, 'EUR'))
  })

  it('joins lines of one article', () => {
    const cart = new Cart('EUR')
    cart.put(pen)
    cart.put({ ...pen, quantity: 1 })
    expect(cart.items).toHaveLength(1)
    expect(cart.total()).toEqual(money(360, 'EUR'))
  })

  it('refuses an empty quantity', () => {
    expect(() => new Cart('EUR').put({ ...pen, quantity: 0 })).toThrow(RangeError)
  })
})

describe('count', () => {
  it('adds up quantities', () => {
    const cart = new Cart('EUR')
    cart.put(pen)
    expect(cart.count()).toBe(2)
  })

  it('is warm on the second run', () => {
    const warm = existsSync('.git/flaky-state')
    writeFileSync('.git/flaky-state', '')
    expect(warm).toBe(true)
  })
})
