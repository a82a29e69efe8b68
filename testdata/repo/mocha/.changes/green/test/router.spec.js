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

describe('Router.allowed', () => {
  const router = new Router()
    .on('put', '/items/:id', () => '')
    .on('get', '/items/:id', () => '')

  it('lists methods in order', () => {
    assert.equal(router.allowed('/items/1'), 'GET, PUT')
  })

  it('is null for an unknown path', () => {
    assert.equal(router.allowed('/'), null)
  })
})
