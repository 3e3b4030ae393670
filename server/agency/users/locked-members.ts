import { reaches } from '#common/agency/users.ts'
import { may, type Permission } from '#common/kit/permissions.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { permissionsOf, rolesHeld } from '#common/session/roles.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { type UnitWithinTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { holdAccess, refusalsNoted, type Where } from '#server/session/public.ts'
import { holdMembers, type Member } from './queries.ts'

type CallerContext = Where & { caller: CallerInUnit }

/** All members held, what whoever asks may do now and not at the door, and whom he means. */
export type Held = { tx: UnitWithinTx; members: Member[]; target: Member; permissions: readonly Permission[] }

/** Changes one member with all of them held. Nobody reaches above himself; what is refused stands in the audit. */
export async function withMember<T>(
  world: World,
  asked: CallerContext,
  action: string,
  userId: string,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  return told(world, asked, action, userId, () =>
    world.database.asService(async whole => {
      const tx = within(whole, asked.caller.unit.scope)
      await holdAccess(whole)
      const members = await holdMembers(tx)
      const permissions = permissionsNow(asked.caller, members)
      const target = members.find(member => member.userId === userId)
      if (!target) throw new Refusal('request.not_found')
      if (!reaches(permissions, rolesHeld(target.roles, target.administrator))) throw new Refusal('agency.above_own')
      return work({ tx, members, target, permissions })
    }),
  )
}

/** Between the door and the lock somebody may have taken from him what he had. */
export function permissionsNow({ userId }: CallerInUnit, members: Member[]): readonly Permission[] {
  const own = members.find(member => member.userId === userId)
  const permissions = own?.active && own.alive ? permissionsOf(rolesHeld(own.roles, own.administrator)) : []
  if (!may(permissions, 'b2b-users-update')) throw new Refusal('session.forbidden')
  return permissions
}

/** What the rules refused of people stands in the audit. */
export const told = <T>(
  world: World,
  asked: CallerContext,
  action: string,
  object: string | undefined,
  work: () => Promise<T>,
): Promise<T> => refusalsNoted(world, asked, { action, object }, noted, work)

const noted = new Set<RefusalCode>([
  'agency.above_own',
  'agency.last_manager',
  'agency.user_elsewhere',
  'administration.own_access',
  'session.forbidden',
  'request.not_found',
])
