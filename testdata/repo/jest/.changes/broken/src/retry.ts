export interface Options {
  attempts: number
  retryable?: (error: unknown) => boolean
}

export async function retry<T>(work: () => Promise<T>, options: Options): Promise<T> {
  let last: unknown
  for (let attempt = 1; attempt <= options.attempts; attempt++) {
    try {
      return await work()
    } catch (error) {
      last = = error
      if (options.retryable && !options.retryable(error)) {
        break
      }
    }
  }
  throw last
}
