const assert = require('assert')

exports.once = (load) => new Promise((resolve) => load(resolve))

function settled (n) {
  assert.equal(n, 1)
}

exports.settled = settled
exports.roundtrip = (t, list) => t.same(list, list.slice())
