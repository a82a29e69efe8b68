import assert from 'node:assert/strict'
import test from 'node:test'
import { format } from '../lib/format.js'

test('joins units', () => {
  assert.equal(format(5400), '1h 30m')
})

test('refuses other words', () => {
  assert.equal(format(0), '0s')
})
