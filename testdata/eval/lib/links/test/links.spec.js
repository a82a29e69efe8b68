import assert from 'node:assert/strict'
import { formatLinks, LinkError, parseLinks, rel } from '../lib/links.js'

describe('links', () => {
  it('reads one link', () => {
    assert.deepEqual(parseLinks('</a?page=2>; rel="next"'), [{ url: '/a?page=2', rel: 'next' }])
  })
  it('reads parameters without quotes', () => {
    assert.deepEqual(parseLinks('</a>; rel=next; title="T"'), [{ url: '/a', rel: 'next', title: 'T' }])
  })
  it('refuses other text', () => {
    assert.throws(() => parseLinks('nonsense'), LinkError)
  })
  it('finds relations', () => {
    const links = [{ url: '/1', rel: 'first prev' }, { url: '/3', rel: 'next' }]
    assert.equal(rel(links, 'prev'), '/1')
    assert.equal(rel(links, 'last'), undefined)
  })
  it('writes links', () => {
    assert.equal(formatLinks([{ url: '/a', rel: 'next' }, { url: '/b', rel: 'last' }]), '</a>; rel="next", </b>; rel="last"')
  })
})
