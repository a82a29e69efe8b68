import { test, expect, afterAll } from 'vitest';
test('old too', () => { expect(1).toBe(2) });
afterAll(() => { throw new Error('after all went wrong') });
