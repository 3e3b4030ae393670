import { type Insertable, sql, type Updateable } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { AllUnitsTx, ServiceTx } from '#server/kit/database.ts'
import { containing } from '#server/kit/store/search.ts'
import { adminRoles, invited } from '#server/session/public.ts'
import { type Paging, offsetOf } from '#server/kit/paging.ts'

export type UserSearch = { text: string; unitId: string | undefined; state: 'active' | 'suspended' | 'administrator' | undefined }

export async function listUserRows(tx: AllUnitsTx, { text, unitId, state }: UserSearch, paging: Paging) {
  const found = tx
    .selectFrom('users')
    .$if(text.trim() !== '', query =>
      query.where(eb => eb.or([eb('users.name', 'ilike', containing(text)), eb('users.email', 'ilike', containing(text))])),
    )
    .$if(unitId !== undefined, query =>
      query.where('users.id', 'in', eb =>
        eb
          .selectFrom('memberships')
          .where('business_unit_id', '=', unitId ?? '')
          .select('user_id'),
      ),
    )
    .$if(state === 'active', query => query.where('users.active', '=', true))
    .$if(state === 'suspended', query => query.where('users.active', '=', false))
    .$if(state === 'administrator', query =>
      query.where(eb =>
        eb.or([
          eb('users.administrator', '=', true),
          eb('users.id', 'in', eb.selectFrom('memberships').where('roles', '&&', eb.val(adminRoles)).select('user_id')),
        ]),
      ),
    )
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .select(userColumns)
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')
    .limit(paging.perPage)
    .offset(offsetOf(paging))
    .execute()
  return { total, rows }
}

const userColumns = [
  'users.id',
  'users.name',
  'users.email',
  'users.active',
  'users.administrator',
  'users.created_at as createdAt',
] as const

export type UserRow = { id: string; name: string; email: string; active: boolean; administrator: boolean; createdAt: Date }

export const findUserRow = (tx: AllUnitsTx, id: string): Promise<UserRow | undefined> =>
  tx.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()

/** Reads a user and locks it until the transaction ends. Concurrent changes thus wait for each other. */
export const lockUserRow = (tx: AllUnitsTx, id: string): Promise<UserRow | undefined> =>
  tx.selectFrom('users').select(userColumns).where('id', '=', id).forUpdate().executeTakeFirst()

export const membershipsOf = (tx: AllUnitsTx, userIds: string[]) =>
  tx
    .selectFrom('memberships')
    .innerJoin('business_units', 'business_units.id', 'memberships.business_unit_id')
    .where('memberships.user_id', 'in', userIds)
    .select([
      'memberships.user_id as userId',
      'business_units.id as unitId',
      sql<string>`business_units.settings->>'brandName'`.as('brandName'),
      'business_units.suspended',
      'memberships.roles',
      'memberships.active',
      invited.as('invited'),
      'memberships.rank',
    ])
    .orderBy('memberships.rank')
    .orderBy('business_units.key')
    .execute()

/** Returns each user's last activity and the number of sessions that have not ended. */
export const sessionsOfMany = (tx: AllUnitsTx, userIds: string[]) =>
  tx
    .selectFrom('sessions')
    .where('user_id', 'in', userIds)
    .groupBy('user_id')
    .select(({ fn }) => [
      'user_id as userId',
      fn.max('last_seen_at').as('lastSeenAt'),
      fn.countAll<number>().filterWhere('ended_at', 'is', null).as('open'),
    ])
    .execute()

export const openSessionsOf = (tx: AllUnitsTx, userId: string, since: Date) =>
  tx
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('created_at', '>', since)
    .select(['id', 'network', 'user_agent as userAgent', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
    .orderBy('last_seen_at', 'desc')
    .limit(50)
    .execute()

/** Returns whether the user has a second factor, which is all that the administration may know of it. */
export const hasFactor = async (tx: AllUnitsTx, userId: string): Promise<boolean> =>
  (await tx
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()) !== undefined

export const resetFactor = (tx: AllUnitsTx, userId: string) =>
  tx
    .updateTable('second_factors')
    .set({ confirmed_at: null })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .returning('user_id')
    .executeTakeFirst()

/** Inserts a user. Returns undefined if the address is in use. */
export const insertUser = (tx: AllUnitsTx, user: Insertable<Tables['users']>) =>
  tx
    .insertInto('users')
    .values(user)
    .onConflict(conflict => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()

export const updateUser = (tx: AllUnitsTx, id: string, changes: Updateable<Tables['users']>) =>
  tx.updateTable('users').set(changes).where('id', '=', id).execute()

/**
 * Creates or changes a membership. Memberships are never deleted, so past actions stay attributable.
 * Users whom the administration adds need not accept an invitation.
 */
export const setMembership = (tx: AllUnitsTx, membership: Insertable<Tables['memberships']>) =>
  tx
    .insertInto('memberships')
    .values({ ...membership, accepted_at: membership.active ? membership.created_at : null })
    .onConflict(conflict =>
      conflict.columns(['business_unit_id', 'user_id']).doUpdateSet(eb => ({
        roles: eb.ref('excluded.roles'),
        active: eb.ref('excluded.active'),
        accepted_at: eb.fn.coalesce('memberships.accepted_at', 'excluded.accepted_at'),
      })),
    )
    .execute()

/** Voids an invitation, its links and its unsent mails. A user who accepts at the same moment is a member first, then suspended. */
export async function closeInvitation(tx: AllUnitsTx, unitId: string, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('one_time_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('invited_to', '=', unitId)
    .where('used_at', 'is', null)
    .execute()
  await tx
    .updateTable('memberships')
    .set({ active: false, invited_at: null })
    .where('business_unit_id', '=', unitId)
    .where('user_id', '=', userId)
    .execute()
}

export async function areUnits(tx: AllUnitsTx, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return true
  const known = await tx.selectFrom('business_units').select('id').where('id', 'in', ids).execute()
  return known.length === new Set(ids).size
}

export async function endSessions(tx: AllUnitsTx, userId: string, now: Date, sessionId?: string): Promise<number> {
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(sessionId !== undefined, query => query.where('id', '=', sessionId ?? ''))
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}

/** Makes a new or existing user an active administrator of the service. */
export const upsertAdministrator = (
  tx: ServiceTx,
  user: { id: string; email: string; name: string; created_at: Date },
): Promise<{ id: string }> =>
  tx
    .insertInto('users')
    .values({ ...user, password_hash: null, administrator: true })
    .onConflict(conflict => conflict.column('email').doUpdateSet({ administrator: true, active: true }))
    .returning('id')
    .executeTakeFirstOrThrow()

/** Makes a user who works for no unit a member of all of them. Returns false if there is none. */
export async function joinAllUnits(tx: ServiceTx, userId: string, now: Date): Promise<boolean> {
  const active = await tx
    .selectFrom('memberships')
    .where('user_id', '=', userId)
    .where('active', '=', true)
    .select('user_id')
    .limit(1)
    .execute()
  if (active.length > 0) return true
  const units = await tx.selectFrom('business_units').select('id').orderBy('key').execute()
  if (units.length === 0) return false
  const rows = units.map(({ id }, rank) => ({
    business_unit_id: id,
    user_id: userId,
    roles: ['admin'],
    rank,
    created_at: now,
    accepted_at: now,
  }))
  await tx
    .insertInto('memberships')
    .values(rows)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'user_id']).doUpdateSet({ active: true }))
    .execute()
  return true
}
