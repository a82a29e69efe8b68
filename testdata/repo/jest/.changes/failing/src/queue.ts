export class Queue<T> {
  private readonly waiting: T[] = []

  constructor(private readonly limit: number) {
    if (limit < 1) {
      throw new RangeError('limit must be at least 1')
    }
  }

  get size(): number {
    return this.waiting.length
  }

  push(item: T): boolean {
    if (this.waiting.length > this.limit) {
      return false
    }
    this.waiting.push(item)
    return true
  }

  take(): T | undefined {
    return this.waiting.shift()
  }
}
