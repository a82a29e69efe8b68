import { existsSync, writeFileSync } from 'node:fs'
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

it('is warm on the second run', () => {
  const warm = existsSync('../../.git/flaky-state')
  writeFileSync('../../.git/flaky-state', '')
  assert.equal(warm, true)
})
