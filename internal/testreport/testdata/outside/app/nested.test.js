import { test, describe, beforeAll } from 'vitest';
describe('a', () => { describe('b', () => { beforeAll(() => { throw new TypeError('before b') }); test('x', () => {}) }) });
