import { createHash } from 'node:crypto'
import type * as calls from '#common/administration/calls.ts'
import type { userDetail } from '#common/administration/schemas/user.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type * as z from 'zod/mini'
import { pagesOf } from '#server/kit/paging.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { findUserRow, hasFactor, listUserRows, membershipsOf, openSessionsOf, sessionsOfMany, type UserRow } from './queries.ts'

type Detail = z.input<typeof userDetail>
type Listed = Omit<Detail, 'openSessions' | 'version' | 'twoFactor'>

/** Describes users with their units, roles and last activity. It takes two queries however many users there are. */
async function describeUsers(tx: AllUnitsTx, rows: UserRow[]): Promise<Listed[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const memberships = Map.groupBy(await membershipsOf(tx, ids), ({ userId }) => userId)
  const sessions = new Map((await sessionsOfMany(tx, ids)).map(each => [each.userId, each]))
  return rows.map(({ id, name, email, active, administrator, createdAt }) => ({
    uuid: id,
    name,
    email,
    active,
    administrator,
    createdAt: createdAt.toISOString(),
    lastSeenAt: sessions.get(id)?.lastSeenAt?.toISOString() ?? null,
    sessions: sessions.get(id)?.open ?? 0,
    businessUnits: (memberships.get(id) ?? []).map(({ unitId, brandName, suspended, roles, active: isActive, invited }) => ({
      uuid: unitId,
      brandName,
      suspended,
      roles,
      active: isActive,
      invited,
    })),
  }))
}

const dayMs = 86_400_000

export async function describeUser(world: World, tx: AllUnitsTx, id: string): Promise<Detail> {
  const row = await findUserRow(tx, id)
  const [listed] = row ? await describeUsers(tx, [row]) : []
  if (!listed) throw new Refusal('request.not_found')
  const since = new Date(world.realTime.now().getTime() - world.config.SESSION_DAYS * dayMs)
  const open = await openSessionsOf(tx, id, since)
  return {
    ...listed,
    version: versionOf(listed),
    twoFactor: await hasFactor(tx, id),
    openSessions: open.map(({ id: uuid, network, userAgent, createdAt, lastSeenAt }) => ({
      uuid,
      network,
      userAgent,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    })),
  }
}

/** Returns a version of all that a change would overwrite. */
export async function userVersion(tx: AllUnitsTx, row: UserRow): Promise<string> {
  const [listed] = await describeUsers(tx, [row])
  return listed ? versionOf(listed) : ''
}

const versionOf = ({ name, active, administrator, businessUnits }: Listed): string =>
  createHash('sha256')
    .update(JSON.stringify([name, active, administrator, businessUnits.map(({ uuid, roles, active }) => [uuid, roles, active])]))
    .digest('base64url')

/** Lists users. This views personal data, so it is audited with its search. */
export const listUsers =
  (world: World): Handler<typeof calls.listUsers> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    const { page, perPage, ...search } = ask
    return world.database.acrossUnits(allUnits, async tx => {
      const wanted = { text: ask.searchData ?? '', unitId: ask.businessUnitUuid, state: ask.state }
      const { total, rows } = await listUserRows(tx, wanted, ask)
      const entry = { action: 'administration.users_listed', outcome: 'done' as const, userId, businessUnitId: ask.businessUnitUuid }
      await audit(world, tx, input, { ...entry, details: { ...search, page, total } })
      return { ...pagesOf(total, { page, perPage }), users: await describeUsers(tx, rows) }
    })
  }

export const viewUser =
  (world: World): Handler<typeof calls.viewUser> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      const user = await describeUser(world, tx, ask.uuid)
      await audit(world, tx, input, { action: 'administration.user_viewed', outcome: 'done', userId, object: ask.uuid })
      return user
    })
  }
