import type { viewUser } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { isRole } from '#common/session/roles.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Member } from './memberships.tsx'

export type User = ResponseOf<typeof viewUser>

/** Returns the stored memberships, with known roles only. */
export const membersOf = ({ businessUnits }: User): Member[] =>
  businessUnits.map(({ roles, ...unit }) => ({ ...unit, roles: roles.filter(isRole), isNew: false }))

export function UserState({ active, administrator }: { active: boolean; administrator: boolean }) {
  const { words } = useWords()
  return (
    <span className="inline-flex flex-wrap gap-2">
      <State tone={active ? 'success' : 'danger'}>{words(active ? 'administration.active' : 'administration.suspended')}</State>
      {administrator && <span className="text-sm text-quiet">{words('administration.administrator')}</span>}
    </span>
  )
}
