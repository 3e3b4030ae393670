import { sql } from 'kysely'
import { isLocale, type Locale } from '#common/kit/locales.ts'
import { permissionsOf } from '#common/session/roles.ts'
import type { Permission } from '#common/kit/permissions.ts'
import type { Database, Tx } from '#server/kit/database.ts'

/** A unit as its member sees it. */
export type Membership = { businessUnitId: string; name: string; locale: Locale; roles: string[]; permissions: Permission[] }

export type LiveSession = {
  sessionId: string
  userId: string
  name: string
  email: string
  createdAt: Date
  lastSeenAt: Date
  /** The strictest of the user's units decides how long a session lives. */
  idleHours: number | null
  days: number | null
  memberships: Membership[]
}

/** One statement: session, user, and the units that he belongs to at this moment. */
export async function findSession(database: Database, tokenHash: Buffer): Promise<LiveSession | undefined> {
  const rows = await database.kysely
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.ended_at', 'is', null)
    .where('users.active', '=', true)
    .leftJoin('memberships', join => join.onRef('memberships.user_id', '=', 'users.id').on('memberships.active', '=', true))
    .leftJoin('business_units', join =>
      join.onRef('business_units.id', '=', 'memberships.business_unit_id').on('business_units.suspended', '=', false),
    )
    .select([
      'sessions.id as sessionId',
      'users.id as userId',
      'users.name',
      'users.email',
      'sessions.created_at as createdAt',
      'sessions.last_seen_at as lastSeenAt',
      'business_units.id as businessUnitId',
      'memberships.roles',
      sql<string | null>`business_units.settings->>'brandName'`.as('brandName'),
      sql<string | null>`business_units.settings->>'locale'`.as('locale'),
      sql<number | null>`(business_units.settings->>'sessionIdleHours')::int`.as('idleHours'),
      sql<number | null>`(business_units.settings->>'sessionDays')::int`.as('days'),
    ])
    .orderBy('memberships.rank')
    .orderBy('business_units.key')
    .execute()
  const [first] = rows
  if (!first) return undefined
  return {
    sessionId: first.sessionId,
    userId: first.userId,
    name: first.name,
    email: first.email,
    createdAt: first.createdAt,
    lastSeenAt: first.lastSeenAt,
    idleHours: least(rows.map(row => row.idleHours)),
    days: least(rows.map(row => row.days)),
    memberships: rows.flatMap(membershipOf),
  }
}

function membershipOf(row: {
  businessUnitId: string | null
  brandName: string | null
  locale: string | null
  roles: string[] | null
}): Membership[] {
  if (!row.businessUnitId || !row.roles) return []
  const locale = isLocale(row.locale) ? row.locale : 'en-EN'
  return [
    { businessUnitId: row.businessUnitId, name: row.brandName ?? '', locale, roles: row.roles, permissions: permissionsOf(row.roles) },
  ]
}

function least(hours: (number | null)[]): number | null {
  const given = hours.filter(value => value !== null)
  return given.length > 0 ? Math.min(...given) : null
}

export const findUserByEmail = (tx: Tx, email: string) =>
  tx.selectFrom('users').selectAll().where('email', '=', email).where('active', '=', true).executeTakeFirst()

export const findUserById = (tx: Tx, id: string) =>
  tx.selectFrom('users').selectAll().where('id', '=', id).where('active', '=', true).executeTakeFirst()

/** Uses a one-time token up, if it is good: of two that come at once, one finds it. */
export async function useToken(
  tx: Tx,
  token: { hash: Buffer; purpose: 'sign-in' | 'password'; flowHash?: Buffer; now: Date },
): Promise<{ userId: string } | undefined> {
  const used = await tx
    .updateTable('one_time_tokens')
    .set({ used_at: token.now })
    .where('token_hash', '=', token.hash)
    .where('purpose', '=', token.purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', token.now)
    .$if(token.flowHash !== undefined, query => query.where('flow_hash', '=', token.flowHash ?? null))
    .returning('user_id')
    .executeTakeFirst()
  return used && { userId: used.user_id }
}

export const endSessionsOf = (tx: Tx, userId: string, now: Date) =>
  tx.updateTable('sessions').set({ ended_at: now }).where('user_id', '=', userId).where('ended_at', 'is', null).execute()
