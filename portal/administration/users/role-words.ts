import { isRole, type Role } from '#common/session/roles.ts'
import type { Words } from '#portal/kit/words.tsx'

const names = {
  viewer: 'administration.role_viewer',
  freelancer: 'administration.role_freelancer',
  accountant: 'administration.role_accountant',
  seller: 'administration.role_seller',
  manager: 'administration.role_manager',
  admin: 'administration.role_admin',
} as const satisfies Record<Role, string>

export const roleOptions = (words: Words) =>
  Object.keys(names)
    .filter(isRole)
    .map(value => ({ value, label: words(names[value]) }))
