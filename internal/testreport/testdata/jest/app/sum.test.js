const { add, div } = require('./sum');

describe('add', () => {
  it('adds two numbers', () => { expect(add(1, 2)).toBe(3); });
  it('fails on purpose', () => { expect(add(1, 2)).toBe(4); });
  it.skip('is skipped', () => { expect(add(0, 0)).toBe(1); });
  it.todo('handles big numbers');
  describe('nested', () => {
    it('keeps <angle> & "quotes" in names', () => { expect(add(2, 2)).toBe(4); });
    it('throws', () => { div(1, 0); });
  });
});

describe('hooks', () => {
  beforeEach(() => { throw new Error('before each broke'); });
  it('never gets to run', () => {});
});

test('Unicode ünïcode ✓ 日本', () => { expect('✓').toBe('✓'); });
