import { describe, it, expect } from 'vitest';
let attempts = 0;
describe('retry', () => {
  it('passes on the second attempt', { retry: 2 }, () => { attempts += 1; expect(attempts).toBe(2); });
  it('fails every time', { retry: 2 }, () => { throw new Error('always'); });
});
