import assert from 'node:assert/strict'
import { query, read } from './query.js'

describe('query', () => {
  it('orders and escapes', () => {
    assert.equal(query({ b: 'x y', a: 1 }), '?a=1&b=x%20y')
  })

  it('leaves out what has no value', () => {
    assert.equal(query({ a: null, b: undefined }), '')
  })
})

describe('read', () => {
  it('finds a parameter', () => {
    assert.equal(read('?a=1&b=x%20y', 'b'), 'x y')
  })

  it('tells empty from absent', () => {
    assert.equal(read('a', 'a'), '')
    assert.equal(read('a', 'b'), undefined)
  })
})
