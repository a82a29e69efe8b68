import { add } from './cart';

const adds = (before: string[], one: string, after: string[]) => {
  expect(add(before, one)).toEqual(after);
};

describe('a cart', () => {
  it('adds', () => {
    adds([], 'pear', ['pear']);
  });
  it('keeps order', () => {
    adds(['apple'], 'pear', ['apple', 'pear']);
  });
  it('refuses nothing', () => {
    expect(() => add([], '')).toThrow(new RangeError('nothing'));
  });
});
