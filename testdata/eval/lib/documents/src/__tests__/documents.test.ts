import { Document, may, readable } from '../documents'

const doc: Document = { id: 'd', owner: 'ann', shared: { bob: 'editor', cid: 'viewer' } }

test('roles allow what they stand for', () => {
  expect(may({ id: 'ann' }, 'remove', doc)).toBe(true)
  expect(may({ id: 'bob' }, 'edit', doc)).toBe(true)
  expect(may({ id: 'bob' }, 'share', doc)).toBe(false)
  expect(may({ id: 'cid' }, 'edit', doc)).toBe(false)
  expect(may({ id: 'dan' }, 'read', doc)).toBe(false)
})

test('administrators see deleted documents', () => {
  expect(may({ id: 'root', admin: true }, 'read', { ...doc, deleted: true })).toBe(true)
  expect(may({ id: 'ann' }, 'read', { ...doc, deleted: true })).toBe(false)
})

test('lists what is readable', () => {
  expect(readable({ id: 'cid' }, [doc, { ...doc, id: 'e', shared: {} }])).toEqual([doc])
})
