let attempts = 0;
jest.retryTimes(2);
describe('retry', () => {
  it('passes on the second attempt', () => { attempts += 1; expect(attempts).toBe(2); });
  it('fails every time', () => { throw new Error('always'); });
});
