import { clock, isOpen, nextDay, Week } from '../opening'

const day = { opens: 540, closes: 1080 }
const week: Week = [null, day, day, day, day, day, null]

test('is open in its hours', () => {
  expect(isOpen(week, new Date('2026-03-02T10:00:00Z'), 60)).toBe(true)
  expect(isOpen(week, new Date('2026-03-02T17:30:00Z'), 60)).toBe(false)
  expect(isOpen(week, new Date('2026-03-01T10:00:00Z'), 60)).toBe(false)
})

test('opens again', () => {
  expect(nextDay(week, new Date('2026-03-06T10:00:00Z'), 0)).toBe(1)
  expect(nextDay([null, null, null, null, null, null, null], new Date('2026-03-06T10:00:00Z'), 0)).toBeNull()
})

test('writes times', () => {
  expect(clock(570)).toBe('09:30')
})
