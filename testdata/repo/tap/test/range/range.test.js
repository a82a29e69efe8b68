import { test } from 'tap'
import { parse, size } from '../../lib/range.js'

test('reads one number', (t) => {
  t.same(parse(' 4 '), { from: 4, to: 4 })
  t.end()
})

test('turns 7 › 3 around', (t) => {
  t.same(parse('7-3'), { from: 3, to: 7 })
  t.end()
})

test('refuses *words*', (t) => {
  t.throws(() => parse('a'), SyntaxError)
  t.end()
})

test('!counts both ends', async (t) => {
  t.equal(size(await Promise.resolve(parse('3-7'))), 5)
})
