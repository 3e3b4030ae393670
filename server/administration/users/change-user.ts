import type * as calls from '#common/administration/calls.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { HandlerInput, Handler } from '#server/kit/serve.ts'
import { audit, keepsOwnAccess, lockAccess, notingAdministrator } from '#server/session/public.ts'
import { differences } from '../units/facts.ts'
import { describeUser, userVersion } from './describe.ts'
import { personName } from './create-user.ts'
import { areUnits, closeInvitation, endSessions, lockUserRow, membershipsOf, setMembership, updateUser } from './queries.ts'

type Input = HandlerInput<typeof calls.changeUser>

/** Changes a user's name, units and roles. A suspended user is signed out. Omitted units end the membership or invitation. */
export const changeUser =
  (world: World): Handler<typeof calls.changeUser> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    const { uuid, active, administrator } = ask
    const name = personName(ask.name)
    return world.database.acrossUnits(allUnits, async tx => {
      await lockAccess(tx)
      const before = await lockUserRow(tx, uuid)
      if (!before) throw new Refusal('request.not_found')
      if (ask.version !== (await userVersion(tx, before))) throw new Refusal('administration.changed_meanwhile')
      const changed = differences(
        { name: before.name, active: before.active, administrator: before.administrator },
        { name, active, administrator },
      )
      const moved = await notingAdministrator(world, tx, input, uuid, async () => {
        if (Object.keys(changed).length > 0) await updateUser(tx, uuid, { name, active, administrator })
        return changeMemberships(world, tx, input)
      })
      await keepsOwnAccess(tx, userId)
      const ended = before.active && !active ? await endSessions(tx, uuid, world.realTime.now()) : 0
      const details = { ...changed, ...(moved ? { businessUnits: moved } : {}), ...(ended > 0 ? { sessionsEnded: ended } : {}) }
      if (Object.keys(details).length > 0)
        await audit(world, tx, input, {
          action: 'administration.user_changed',
          outcome: 'done',
          userId,
          object: uuid,
          details,
          ...(ask.reason ? { reason: ask.reason } : {}),
        })
      return describeUser(world, tx, uuid)
    })
  }

type Membership = { uuid: string; roles: string[]; active: boolean; invited?: boolean }

async function changeMemberships(world: World, tx: AllUnitsTx, { ask }: Input) {
  const ids = ask.businessUnits.map(({ uuid }) => uuid)
  if (!(await areUnits(tx, ids))) throw refuseFields([{ path: 'businessUnits', rule: 'known', key: 'administration.fault.unit' }])
  const known = await membershipsOf(tx, [ask.uuid])
  const before: Membership[] = known.map(({ unitId, roles, active, invited }) => ({
    uuid: unitId,
    roles,
    active,
    ...(invited && { invited }),
  }))
  const left = before.filter(({ uuid }) => !ids.includes(uuid)).map(({ uuid, roles }) => ({ uuid, roles, active: false }))
  const after: Membership[] = [...ask.businessUnits, ...left]
  const changed = after.filter(
    each =>
      !same(
        each,
        before.find(({ uuid }) => uuid === each.uuid),
      ),
  )
  for (const { uuid, roles, active } of changed) {
    const rank = known.find(({ unitId }) => unitId === uuid)?.rank ?? known.length + changed.findIndex(each => each.uuid === uuid)
    await setMembership(tx, { business_unit_id: uuid, user_id: ask.uuid, roles, active, rank, created_at: world.realTime.now() })
  }
  const closed = known.filter(({ unitId, invited }) => invited && !ids.includes(unitId))
  for (const { unitId } of closed) await closeInvitation(tx, unitId, ask.uuid, world.realTime.now())
  return changed.length + closed.length > 0 ? { before, after } : undefined
}

const same = (one: Membership, other: Membership | undefined): boolean =>
  other !== undefined && one.active === other.active && one.roles.toSorted().join(' ') === other.roles.toSorted().join(' ')
