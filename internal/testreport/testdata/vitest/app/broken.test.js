import { test } from 'vitest';
import missing from './does-not-exist.js';
test('cannot be collected', () => { missing(); });
