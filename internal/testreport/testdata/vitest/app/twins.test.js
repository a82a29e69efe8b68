import { describe, it } from 'vitest';
describe('twins', () => {
  it('same name', () => { throw new Error('first twin fails'); });
  it('same name', () => {});
});
