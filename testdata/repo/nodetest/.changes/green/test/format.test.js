import assert from 'node:assert/strict'
import test from 'node:test'
import { about, format } from '../lib/format.js'

test('joins units', () => {
  assert.equal(format(5400), '1h 30m')
})

test('refuses other words', () => {
  assert.equal(format(0), '0s')
})

test('rounds to the largest unit', async (t) => {
  await t.test('seconds', () => assert.equal(about(5), 'about 5s'))
  await t.test('minutes', () => assert.equal(about(125), 'about 2m'))
  await t.test('hours', () => assert.equal(about(7000), 'about 2h'))
})
