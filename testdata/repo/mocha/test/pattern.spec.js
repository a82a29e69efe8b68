import assert from 'node:assert/strict'
import { compile } from '../lib/pattern.js'

describe('compile', () => {
  it('matches plain paths', () => {
    assert.deepEqual(compile('/about')('/about'), {})
    assert.equal(compile('/about')('/abouts'), null)
  })

  it('names parameters', () => {
    assert.deepEqual(compile('/users/:id/:tab')('/users/7/a%20b'), { id: '7', tab: 'a b' })
  })

  it('takes dots (and other signs) literally', () => {
    assert.equal(compile('/a.b')('/axb'), null)
  })

  it('needs a leading slash', () => {
    assert.throws(() => compile('about'), TypeError)
  })
})
