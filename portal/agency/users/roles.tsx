import { isRole } from '#common/session/roles.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'

/** The name of each role, and a sentence on what it may do. */
export const roleWords = {
  viewer: { name: 'agency.role.viewer', may: 'agency.role.viewer_may' },
  seller: { name: 'agency.role.seller', may: 'agency.role.seller_may' },
  freelancer: { name: 'agency.role.freelancer', may: 'agency.role.freelancer_may' },
  accountant: { name: 'agency.role.accountant', may: 'agency.role.accountant_may' },
  manager: { name: 'agency.role.manager', may: 'agency.role.manager_may' },
  admin: { name: 'agency.role.admin', may: 'agency.role.admin_may' },
} as const

/** Shows the names of roles. An unknown role keeps its technical name. */
export function RoleNames({ roles }: { roles: readonly string[] }) {
  const { words } = useWords()
  const { list } = useFormat()
  return <>{list(roles.map(role => (isRole(role) ? words(roleWords[role].name) : role)))}</>
}
