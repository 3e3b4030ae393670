import { may, type Permission } from '#common/kit/permissions.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { permissionsOf, reaches, rolesHeld } from '#common/session/roles.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { type UnitWithinTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { auditRefusals, lockAccess, type Where } from '#server/session/public.ts'
import { shownId } from './describe.ts'
import { lockMembers, type Member } from './queries.ts'

type CallerContext = Where & { caller: CallerInUnit }

/** All members, locked, with the one to change. The caller's permissions are those at the lock, not at admission. */
export type LockedMember = { tx: UnitWithinTx; members: Member[]; target: Member; permissions: readonly Permission[] }

/** Changes one member, by the id that the agency sees, while all are locked. Callers cannot change users above them, and refusals are audited. */
export async function withMember<T>(
  world: World,
  input: CallerContext,
  action: string,
  shown: string,
  work: (locked: LockedMember) => Promise<T>,
): Promise<T> {
  return auditRefused(world, input, action, shown, () =>
    world.database.asService(async whole => {
      const tx = within(whole, input.caller.unit.scope)
      await lockAccess(whole)
      const members = await lockMembers(tx)
      const permissions = permissionsNow(input.caller, members)
      const target = members.find(member => shownId(input.caller.unit.scope, member) === shown)
      if (!target) throw new Refusal('request.not_found')
      if (!reaches(permissions, rolesHeld(target.roles, target.administrator))) throw new Refusal('agency.above_own')
      return work({ tx, members, target, permissions })
    }),
  )
}

/** Returns the caller's present permissions. Another change may have reduced them after admission. */
export function permissionsNow({ userId }: CallerInUnit, members: Member[]): readonly Permission[] {
  const own = members.find(member => member.userId === userId)
  const permissions = own?.active && own.userActive ? permissionsOf(rolesHeld(own.roles, own.administrator)) : []
  if (!may(permissions, 'b2b-users-update')) throw new Refusal('session.forbidden')
  return permissions
}

/** Audits the work's refusal if the rules about users caused it. */
export const auditRefused = <T>(
  world: World,
  input: CallerContext,
  action: string,
  object: string | undefined,
  work: () => Promise<T>,
): Promise<T> => auditRefusals(world, input, { action, object }, auditedCodes, work)

const auditedCodes = new Set<RefusalCode>([
  'agency.above_own',
  'agency.last_manager',
  'agency.user_elsewhere',
  'administration.own_access',
  'session.forbidden',
  'request.not_found',
])
