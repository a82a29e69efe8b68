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

describe('drain', () => {
  test('takes at most count items', () => {
    const queue = new Queue<number>(3)
    queue.push(1)
    queue.push(2)
    queue.push(3)
    expect(queue.drain(2)).toEqual([1, 2])
    expect(queue.drain(9)).toEqual([3])
  })

  test('refuses a negative count', () => {
    expect(() => new Queue(1).drain(-1)).toThrow(RangeError)
  })
})
