const { test } = require('node:test')
const assert = require('node:assert')
const { total } = require('../cart')

function twice (list) {
  return total(list.concat(list))
}

test('should add up and throws nothing away', () => {
  twice([1])
})

test('swallows', async (t) => {
  t.after(() => {})
  try {
    total(null)
  } catch (_) {
  }
})

test('checks', () => {
  assert.equal(twice([1]), 2)
})
