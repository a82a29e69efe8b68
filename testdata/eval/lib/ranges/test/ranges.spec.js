import assert from 'node:assert/strict'
import { combine, length, parseRange } from '../lib/ranges.js'

describe('parseRange', () => {
  it('reads a closed range', () => {
    assert.deepEqual(parseRange('bytes=0-99', 1000), [{ start: 0, end: 99 }])
  })
  it('reads an open range', () => {
    assert.deepEqual(parseRange('bytes=900-', 1000), [{ start: 900, end: 999 }])
  })
  it('reads a suffix', () => {
    assert.deepEqual(parseRange('bytes=-100', 1000), [{ start: 900, end: 999 }])
  })
  it('ignores other units', () => {
    assert.equal(parseRange('items=0-5', 1000), null)
  })
  it('refuses what lies behind the end', () => {
    assert.throws(() => parseRange('bytes=2000-3000', 1000), { status: 416 })
  })
})

describe('combine', () => {
  it('joins neighbours', () => {
    assert.deepEqual(combine([{ start: 5, end: 9 }, { start: 0, end: 4 }]), [{ start: 0, end: 9 }])
  })
  it('counts bytes', () => {
    assert.equal(length([{ start: 0, end: 4 }, { start: 10, end: 10 }]), 6)
  })
})
