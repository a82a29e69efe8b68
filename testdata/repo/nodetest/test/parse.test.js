import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { parse } from '../lib/parse.js'

describe('parse', () => {
  describe('one part', () => {
    it('knows hours', () => {
      assert.equal(parse('2h'), 7200)
    })
    it('takes 0s (nothing) as 0', () => {
      assert.equal(parse('0s'), 0)
    })
  })
  it('adds "parts" / spaces', () => {
    assert.equal(parse(' 1h  30m '), 5400)
  })
  it('refuses other words', () => {
    assert.throws(() => parse('1 week'), RangeError)
  })
})

test('a day ≥ 24 hours', async (t) => {
  await t.test('in hours', () => {
    assert.equal(parse('1d'), parse('24h'))
  })
  await t.test('in minutes', () => {
    assert.equal(parse('1d'), parse('1440m'))
  })
})
