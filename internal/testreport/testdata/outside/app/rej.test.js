import { test, expect } from 'vitest';
test('fine four', () => { Promise.reject(new Error('unhandled thing')); });
