import assert from 'node:assert/strict'
import { escape, h, render, rows } from '../lib/markup.js'

describe('markup', () => {
  it('nests elements', () => {
    assert.equal(render(h('p', null, 'a ', h('b', null, 'c'))), '<p>a <b>c</b></p>')
  })
  it('escapes text', () => {
    assert.equal(render(h('p', null, '<script>')), '<p>&lt;script&gt;</p>')
    assert.equal(escape('"&"'), '&quot;&amp;&quot;')
  })
  it('writes attributes', () => {
    assert.equal(render(h('input', { type: 'text', disabled: true, value: null })), '<input type="text" disabled>')
  })
  it('joins classes', () => {
    assert.equal(render(h('i', { class: 'a b' })), '<i class="a b"></i>')
  })
  it('makes rows', () => {
    assert.equal(rows([{ n: 1 }, {}], ['n']).map(render).join(''), '<tr><td>1</td></tr><tr><td></td></tr>')
  })
})
