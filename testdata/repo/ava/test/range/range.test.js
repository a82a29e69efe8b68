import test from 'ava'
import { parse, size } from '../../lib/range.js'

test('reads one number', (t) => {
  t.deepEqual(parse(' 4 '), { from: 4, to: 4 })
})

test('turns 7 › 3 around', (t) => {
  t.deepEqual(parse('7-3'), { from: 3, to: 7 })
})

test('refuses *words*', (t) => {
  t.throws(() => parse('a'), { instanceOf: SyntaxError })
})

test('!counts both ends', async (t) => {
  t.is(size(await Promise.resolve(parse('3-7'))), 5)
})
