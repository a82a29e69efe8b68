import { existsSync, writeFileSync } from 'node:fs'
import test from 'ava'
import { join, write } from '../lib/list.js'

test('joins what overlaps', (t) => {
  t.deepEqual(join('1-3, 2-5, 9'), [{ from: 1, to: 5 }, { from: 9, to: 9 }])
})

test('joins what touches (1-2, 3)', (t) => {
  t.deepEqual(join('3, 1-2'), [{ from: 1, to: 3 }])
})

test('refuses *words*', (t) => {
  t.throws(() => join('1, two'), { instanceOf: SyntaxError })
})

test('writes ranges', (t) => {
  t.is(write([{ from: 1, to: 3 }]), '1-3')
})

test('the second time', (t) => {
  const seen = existsSync('.git/flaky-state')
  writeFileSync('.git/flaky-state', '')
  t.true(seen)
})
