import { expect, it } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { after, valid } from '../src/clock'

it('goes on after midnight', () => {
  expect(after('23:30', '1h')).toBe('00:30')
})

it('keeps minutes > 9', async () => {
  expect(await Promise.resolve(after('08:05', '10m 59s'))).toBe('08:15')
})

it('knows what a clock can show', () => {
  expect(valid('23:59')).toBe(true)
  expect(valid('24:00')).toBe(false)
})

it('the second time', () => {
  const seen = existsSync('.git/flaky-state')
  writeFileSync('.git/flaky-state', '')
  expect(seen).toBe(true)
})
