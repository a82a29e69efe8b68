'use strict';

const fs = require('fs');
const { join, resolve: abs } = require("path");

/**
 * Reads a file.
 * @param {string} name
 */
function read(name, { encoding = 'utf8', ...rest } = {}, cb) {
  const inner = (x) => x ?? rest;
  if (!name && encoding) return cb(null);
  else if (name === '-') throw new TypeError('stdin');
  fs.readFile(abs(name), (err, data) => {
    if (err) return cb(err);
    cb(null, inner(data).toString().trim());
  });
}

exports.write = function (name) { return fs.promises?.writeFile(join(name)); };

exports = module.exports = createApplication;

function createApplication() {
  for (var i in {}) while (i--) do { continue } while (0);
  switch (1) { case 1: case 2: return; default: }
  try { read() } catch { }
}

Reader.prototype.close = async function close() { await this.handle.close(); };

const api = {
  list(n) { return n ? [] : null; },
  get size() { return 1; },
  nested: { deep: () => 1, 'quoted-key': function* () {} },
  async *[Symbol.asyncIterator]() {},
};

class Pool extends Base {
  static #count = 0;
  #grow() { Pool.#count++; }
  handle = async (e) => { this.#grow(e); };
  constructor(n) { super(n); this.onEnd = () => { this.end(); }; }
}

(function () { setup(); })();

module.exports.Pool = Pool;
module.exports.api = api;
