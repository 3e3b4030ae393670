import type * as calls from '#common/agency/calls.ts'
import { leavesNoManager, reaches } from '#common/agency/users.ts'
import type { Question } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { adminRoles, audit, endSessionsOf, keepsOwnAccess, personName, updateUser as saveUser } from '#server/session/public.ts'
import { describeMember } from './describe.ts'
import { type Held, withMember } from './locked-members.ts'
import { elsewhere, findMember, type Member, updateMember } from './queries.ts'

/** Name, roles, suspended or not. A name is changed by the one unit that somebody works for; his e-mail address is who he is. */
export const updateUser =
  (world: World): Handler<typeof calls.updateUser> =>
  async asked => {
    const { ask, caller } = asked
    return withMember(world, asked, 'agency.user_changed', ask.uuid, async held => {
      const { tx, target } = held
      const wanted = wantedOf(ask, target)
      refuseIfForbidden(held, wanted)
      const changed = changedBetween(target, wanted)
      if (changed['name']) await rename(held, wanted.name)
      if (changed['roles'] || changed['active'])
        await updateMember(tx, target.userId, {
          roles: wanted.roles,
          active: wanted.active,
          // Let in again later, they sign in anew.
          ...(target.active && !wanted.active ? { access_from: world.clock.now() } : {}),
        })
      if (administers(target) && !administers(wanted)) await keepsOwnAccess(tx.whole, caller.userId)
      const ended = target.active && !wanted.active ? await endIfNowhere(world, held) : 0
      if (Object.keys(changed).length > 0) {
        const details = { ...changed, ...(ended > 0 ? { sessionsEnded: ended } : {}) }
        await audit(world, tx, asked, { action: 'agency.user_changed', outcome: 'done', object: target.userId, details })
      }
      return describeMember(caller, (await findMember(tx, target.userId)) ?? target)
    })
  }

const administers = ({ roles, active }: Pick<Member, 'roles' | 'active'>): boolean =>
  active && roles.some(role => adminRoles.includes(role))

type Wanted = Pick<Member, 'name' | 'roles' | 'active'>

/** An invitation is withdrawn, not suspended; while it is open it counts as active, as the list tells it. */
function wantedOf(ask: Question<typeof calls.updateUser>, target: Member): Wanted {
  const name = ask.name === undefined ? target.name : personName(ask.name)
  if (name === '') throw refuseFields([{ path: 'name', rule: 'required', key: 'validation.required' }])
  if (ask.email !== undefined && ask.email.trim().toLowerCase() !== target.email) throw new Refusal('agency.email_fixed')
  if (target.invited && ask.active === false) throw new Refusal('agency.still_invited')
  const active = target.invited ? target.active : (ask.active ?? target.active)
  return { name, roles: ask.roles ? [...new Set(ask.roles)] : target.roles, active }
}

function refuseIfForbidden({ members, target, permissions }: Held, wanted: Wanted): void {
  if (!reaches(permissions, wanted.roles)) throw new Refusal('agency.above_own')
  const able = members.map(({ userId, roles, active, alive }) => ({ userId, roles, active: active && alive }))
  const then = { userId: target.userId, roles: wanted.roles, active: wanted.active && target.alive }
  const after = able.map(each => (each.userId === target.userId ? then : each))
  if (leavesNoManager(able, after)) throw new Refusal('agency.last_manager')
}

function changedBetween(before: Wanted, after: Wanted): Record<string, { before: unknown; after: unknown }> {
  const same = {
    name: before.name === after.name,
    roles: before.roles.toSorted().join(' ') === after.roles.toSorted().join(' '),
    active: before.active === after.active,
  }
  const names = (['name', 'roles', 'active'] as const).filter(name => !same[name])
  return Object.fromEntries(names.map(name => [name, { before: before[name], after: after[name] }]))
}

/** What is a person's own is changed by the one unit that he works for, or by nobody but himself. */
async function rename({ tx, target: { userId, invited } }: Held, name: string): Promise<void> {
  if (invited) await updateMember(tx, userId, { invited_name: name })
  else if ((await elsewhere(tx, userId)).length > 0) throw new Refusal('agency.user_elsewhere')
  else await saveUser(tx.whole, userId, { name })
}

/** Whoever works for no unit any more is signed out; elsewhere he stays. */
async function endIfNowhere(world: World, { tx, target: { userId } }: Held): Promise<number> {
  const others = await elsewhere(tx, userId)
  return others.some(({ active }) => active) ? 0 : endSessionsOf(tx.whole, userId, world.clock.now())
}
