import { describe, it, beforeAll } from 'vitest';
describe('setup', () => {
  beforeAll(() => { throw new Error('before all broke'); });
  it('is not reached', () => {});
});
