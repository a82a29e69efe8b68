import { add } from './cart';

describe('cart', () => {
  it('adds', () => {
    expect(add([], 'pear')).toEqual(['pear']);
  });
  it('keeps order', () => {
    expect(add(['apple'], 'pear')).toEqual(['apple', 'pear']);
  });
  it('refuses nothing', () => {
    expect(() => add([], '')).toThrow(RangeError);
  });
});
