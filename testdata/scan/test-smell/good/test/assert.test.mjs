import { ok, strictEqual as eq } from 'node:assert'
import t from 'node:assert/strict'
import test from 'node:test'
import { total } from '../cart.js'

const { deepEqual: alike } = t
const mine = t.notEqual

test('by the name it was given', () => {
  eq(total([1]), 1)
})

test('by its own name', () => {
  ok(total([1]))
})

test('by the default import', () => {
  t.equal(total([1]), 1)
})

test('by a name taken out of it', () => {
  alike(total([1]), 1)
})

test('by a name it was put into', () => {
  mine(total([1]), 2)
})
