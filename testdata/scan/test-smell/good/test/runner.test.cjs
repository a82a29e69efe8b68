const { test } = require('node:test')
const a = require('assert/strict')
const tspl = require('@matteo.collina/tspl')
const { total, load } = require('../cart')
const { once, settled, roundtrip } = require('./helper')

function sums (list, n) {
  a.equal(total(list), n)
}

const deeper = (list) => sums(list, 1)

test('by the module under another name', () => {
  a(total([1]))
})

test('by the test itself', (ctx) => {
  ctx.assert.equal(total([1]), 1)
})

test('by a plan', (t) => {
  t.plan(1)
  load(total)
})

test('by a plan of its own', async (t) => {
  const { equal, completed } = tspl(t, { plan: 1 })
  load((err, n) => equal(n, 1))
  await completed
})

test('by a helper that is handed the test', (x) => {
  roundtrip(x, [1])
})

test('by a helper of the file', () => {
  sums([1], 1)
})

test('by a helper of a helper', () => {
  deeper([1])
})

test('by a helper of another file', async () => {
  settled(await once(load))
})

test('by calling back', (ctx, end) => {
  load(end)
})

test('by calling back by itself', (ctx, next) => {
  load(() => next())
})

test('by an error of its own', () => {
  if (total([1]) !== 1) {
    throw new Error('wrong')
  }
})

test('does not crash without items', () => {
  total([])
})
