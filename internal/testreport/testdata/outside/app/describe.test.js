import { test, expect, describe, afterAll } from 'vitest';
describe('suite', () => { test('old in', () => { expect(1).toBe(2) }); afterAll(() => { throw new Error('after suite went wrong') }); });
