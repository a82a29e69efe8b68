import { describe, it, expect, vi } from 'vitest';
import { parse } from './service';

const make = () => parse('1');

describe('parse', () => {
  beforeEach(() => { vi.resetAllMocks(); });
  describe(`numbers`, () => {
    it('keeps them', () => { expect(parse(1)).toBe(1); });
    it.each([[1, 1], ['2', 2]])('maps %s', async (a, b) => {
      if (a) expect(parse(a)).toBe(b);
    });
  });
  test.skip("later", function () {});
  it.todo('negative');
});

test(make.name, () => {});
