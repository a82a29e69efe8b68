// Who may do what with a document.

export type Role = 'viewer' | 'editor' | 'owner'

export interface User {
  id: string
  admin?: boolean
  suspended?: boolean
}

export interface Document {
  id: string
  owner: string
  shared: Record<string, Role>
  deleted?: boolean
}

const RANK: Record<Role, number> = { viewer: 1, editor: 2, owner: 3 }
const NEEDED = { read: 'viewer', edit: 'editor', share: 'owner', remove: 'owner' } as const

export type Action = keyof typeof NEEDED

/** The role of a user for a document; null is none. */
export function roleOf(user: User, doc: Document): Role | null {
  if (doc.owner === user.id) return 'owner'
  return Object.hasOwn(doc.shared, user.id) ? doc.shared[user.id] : null
}

/** Whether a user may do something with a document. */
export function may(user: User, action: Action, doc: Document): boolean {
  if (user.suspended) return false
  if (user.admin) return true
  if (doc.deleted) return false
  const role = roleOf(user, doc)
  return role !== null && RANK[role] >= RANK[NEEDED[action]]
}

/** The documents of a list that a user may read. */
export function readable(user: User, docs: Document[]): Document[] {
  return docs.filter((d) => may(user, 'read', d))
}
