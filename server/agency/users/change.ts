import type * as calls from '#common/agency/calls.ts'
import { basisPointsOf } from '#common/accounting/shares.ts'
import { leavesNoManager, reaches } from '#common/session/roles.ts'
import type { RequestOf } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { setShare } from '#server/accounting/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import {
  adminRoles,
  audit,
  endSessionsOf,
  keepsOwnAccess,
  notingAdministrator,
  personName,
  updateUser as saveUser,
} from '#server/session/public.ts'
import { describeMember, percentOf } from './describe.ts'
import { type LockedMember, withMember } from './locked-members.ts'
import { otherMemberships, findMember, type Member, updateMember } from './queries.ts'

/** Changes name, roles, suspension or the share of the commission. Only a user's sole agency may change the name. The email is the identity and stays. */
export const updateUser =
  (world: World): Handler<typeof calls.updateUser> =>
  async input => {
    const { ask, caller } = input
    return withMember(world, input, 'agency.user_changed', ask.uuid, async locked => {
      const { tx, target } = locked
      const requested = requestedFacts(ask, target)
      refuseIfForbidden(locked, requested)
      const changed = changedBetween({ ...target, commissionShare: percentOf(target) }, requested)
      if (changed['name']) await rename(locked, requested.name)
      if (changed['roles'] || changed['active'])
        await notingAdministrator(world, tx.whole, input, target.userId, () =>
          updateMember(tx, target.userId, {
            roles: requested.roles,
            active: requested.active,
            // Users who are reinstated later sign in anew.
            ...(target.active && !requested.active ? { access_from: world.realTime.now() } : {}),
          }),
        )
      if (administers(target) && !administers(requested)) await keepsOwnAccess(tx.whole, caller.userId)
      const ended = target.active && !requested.active ? await endSessionsIfUnitless(world, locked) : 0
      if (Object.keys(changed).length > 0) {
        const share = changed['commissionShare'] ? { month: await saveShare(world, input, tx, requested) } : {}
        const details = { ...changed, ...share, ...(ended > 0 ? { sessionsEnded: ended } : {}) }
        await audit(world, tx, input, { action: 'agency.user_changed', outcome: 'done', object: target.userId, details })
      }
      return describeMember(caller, (await findMember(tx, target.userId)) ?? target)
    })
  }

const administers = ({ roles, active }: Pick<Member, 'roles' | 'active'>): boolean =>
  active && roles.some(role => adminRoles.includes(role))

type MemberFacts = Pick<Member, 'name' | 'roles' | 'active'> & { commissionShare: number | null }

/**
 * Applies the request to the user. Invitations are revoked, not suspended, and count as active while open, as in the list. Users who have not joined
 * have no share of the commission.
 */
function requestedFacts(ask: RequestOf<typeof calls.updateUser>, target: Member): MemberFacts {
  const name = ask.name === undefined ? target.name : personName(ask.name)
  if (name === '') throw refuseFields([{ path: 'name', rule: 'required', key: 'validation.required' }])
  if (ask.email !== undefined && ask.email.trim().toLowerCase() !== target.email) throw new Refusal('agency.email_fixed')
  if (target.invited && ask.active === false) throw new Refusal('agency.still_invited')
  const commissionShare = ask.commissionShare === undefined ? percentOf(target) : ask.commissionShare
  if (target.invited && commissionShare !== percentOf(target)) throw new Refusal('agency.still_invited')
  const active = target.invited ? target.active : (ask.active ?? target.active)
  return { name, roles: ask.roles ? [...new Set(ask.roles)] : target.roles, active, commissionShare }
}

function refuseIfForbidden({ members, target, permissions }: LockedMember, requested: MemberFacts): void {
  if (!reaches(permissions, requested.roles)) throw new Refusal('agency.above_own')
  const able = members.map(({ userId, roles, active, userActive }) => ({ userId, roles, active: active && userActive }))
  const then = { userId: target.userId, roles: requested.roles, active: requested.active && target.userActive }
  const after = able.map(each => (each.userId === target.userId ? then : each))
  if (leavesNoManager(able, after)) throw new Refusal('agency.last_manager')
}

/** Saves the share, and returns the month from which it applies. */
const saveShare = (world: World, { caller, ask }: HandlerInput<typeof calls.updateUser>, tx: UnitTx, { commissionShare }: MemberFacts) =>
  setShare(tx, { userId: ask.uuid, basisPoints: basisPointsOf(commissionShare) ?? null, at: world.clock.now(), by: caller.userId })

function changedBetween(before: MemberFacts, after: MemberFacts): Record<string, { before: unknown; after: unknown }> {
  const same = {
    name: before.name === after.name,
    roles: before.roles.toSorted().join(' ') === after.roles.toSorted().join(' '),
    active: before.active === after.active,
    commissionShare: before.commissionShare === after.commissionShare,
  }
  const names = (['name', 'roles', 'active', 'commissionShare'] as const).filter(name => !same[name])
  return Object.fromEntries(names.map(name => [name, { before: before[name], after: after[name] }]))
}

/** Renames the user, which only their sole agency or they themselves may do. An invitation's name is the inviting agency's own. */
async function rename({ tx, target: { userId, invited } }: LockedMember, name: string): Promise<void> {
  if (invited) await updateMember(tx, userId, { invited_name: name })
  else if ((await otherMemberships(tx, userId)).length > 0) throw new Refusal('agency.user_elsewhere')
  else await saveUser(tx.whole, userId, { name })
}

/** Ends all sessions of a user who has no active unit left. Returns how many ended. */
async function endSessionsIfUnitless(world: World, { tx, target: { userId } }: LockedMember): Promise<number> {
  const others = await otherMemberships(tx, userId)
  return others.some(({ active }) => active) ? 0 : endSessionsOf(tx.whole, userId, world.realTime.now())
}
