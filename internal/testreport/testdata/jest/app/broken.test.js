const missing = require('./does-not-exist');
test('cannot be collected', () => { missing(); });
