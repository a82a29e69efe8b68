import { expect, it } from 'bun:test'
import { after } from '../src/clock'

it('goes on after midnight', () => {
  expect(after('23:30', '1h')).toBe('00:30')
})

it('keeps minutes > 9', async () => {
  expect(await Promise.resolve(after('08:05', '10m 59s'))).toBe('08:15')
})
