import { existsSync, writeFileSync } from 'node:fs'
import assert from 'node:assert/strict'
import { Router } from '../lib/router.js'

describe('Router', () => {
  const router = new Router()
    .on('get', '/', () => 'home')
    .on('get', '/users/:id', ({ id }) => `user ${id}`)

  it('answers the first matching route', () => {
    assert.deepEqual(router.handle('GET', '/users/7'), { status: 200, body: 'user 7' })
  })

  it('knows paths it has not', () => {
    assert.equal(router.handle('GET', '/nowhere').status, 404)
  })

  it('knows methods it has not', () => {
    assert.equal(router.handle('POST', '/').status, 405)
  })
})

describe('Router.size', () => {
  it('counts routes', () => {
    assert.equal(new Router().on('get', '/', () => '').size, 1)
  })

  it('is warm on the second run', () => {
    const warm = existsSync('.git/flaky-state')
    writeFileSync('.git/flaky-state', '')
    assert.equal(warm, true)
  })
})
