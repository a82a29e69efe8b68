import { retry } from '../retry'

function failing(times: number): () => Promise<string> {
  let calls = 0
  return async () => {
    calls++
    if (calls <= times) {
      throw new Error(`call ${calls}`)
    }
    return `call ${calls}`
  }
}

describe('retry', () => {
  test('returns the first success', async () => {
    await expect(retry(failing(2), { attempts: 3 })).resolves.toBe('call 3')
  })

  test('gives the last error when attempts run out', async () => {
    await expect(retry(failing(9), { attempts: 2 })).rejects.toThrow('call 2')
  })

  test('stops at an error that is final (no retry)', async () => {
    await expect(retry(failing(9), { attempts: 5, retryable: () => false })).rejects.toThrow('call 1')
  })
})
