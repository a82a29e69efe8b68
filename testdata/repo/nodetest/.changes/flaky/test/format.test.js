import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import { format, long } from '../lib/format.js'

test('joins units', () => {
  assert.equal(format(5400), '1h 30m')
})

test('refuses other words', () => {
  assert.equal(format(0), '0s')
})

test('a week is long', () => {
  assert.equal(long(7 * 86400), true)
})

test('the second time', () => {
  const seen = existsSync('.git/flaky-state')
  writeFileSync('.git/flaky-state', '')
  assert.ok(seen)
})
