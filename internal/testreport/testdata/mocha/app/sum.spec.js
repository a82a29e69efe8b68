const assert = require('assert');
const { add, div } = require('./sum');

describe('add', () => {
  it('adds two numbers', () => assert.strictEqual(add(1, 2), 3));
  it('fails on purpose', () => assert.strictEqual(add(1, 2), 4));
  it.skip('is skipped', () => {});
  it('handles big numbers');
  describe('nested', () => {
    it('keeps <angle> & "quotes" in names', () => assert.strictEqual(add(2, 2), 4));
    it('throws', () => { div(1, 0); });
  });
});

describe('hooks', () => {
  beforeEach(() => { throw new Error('before each broke'); });
  it('never gets to run', () => {});
});

describe('retry', function () {
  this.retries(2);
  let attempts = 0;
  it('passes on the second attempt', () => { attempts += 1; assert.strictEqual(attempts, 2); });
  it('fails every time', () => { throw new Error('always'); });
});

describe('twins', () => {
  it('same name', () => { throw new Error('first twin fails'); });
  it('same name', () => {});
});

it('Unicode ünïcode ✓ 日本', () => { console.log('printed while testing'); });
