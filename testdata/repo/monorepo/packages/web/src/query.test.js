import assert from 'node:assert/strict'
import { query } from './query.js'

describe('query', () => {
  it('orders and escapes', () => {
    assert.equal(query({ b: 'x y', a: 1 }), '?a=1&b=x%20y')
  })

  it('leaves out what has no value', () => {
    assert.equal(query({ a: null, b: undefined }), '')
  })
})
