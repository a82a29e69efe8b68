import { describe, it, expect, test, beforeEach, beforeAll } from 'vitest';
import sum from './sum.cjs';
const { add, div } = sum;

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

describe('setup', () => {
  beforeAll(() => { throw new Error('before all broke'); });
  it('is not reached', () => {});
});

test('Unicode ünïcode ✓ 日本', () => { expect('✓').toBe('✓'); });
