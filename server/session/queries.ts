import { type CompiledQuery, type ExpressionBuilder, type Insertable, sql, type Updateable } from 'kysely'
import { isLocale, type Locale } from '#common/kit/locales.ts'
import { permissionsOf, rolesHeld } from '#common/session/roles.ts'
import { may, type Permission } from '#common/kit/permissions.ts'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Database, ServiceTx, Tx } from '#server/kit/database.ts'
import { compiler, prepared } from '#server/kit/sql/prepared.ts'
import { together } from '#server/kit/sql/together.ts'
import type { SessionTables } from './tables.ts'

/** A unit as its member sees it. */
export type Membership = {
  businessUnitId: string
  name: string
  locale: Locale
  roles: string[]
  permissions: Permission[]
  twoFactorRequired: boolean
}

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
  /** The user's own choices. */
  locale: Locale | null
  density: 'comfortable' | 'compact' | null
  twoFactor: boolean
  memberships: Membership[]
  /** Whether the user is an administrator: of the whole service, or by b2b-admin in one of their units. */
  administrator: boolean
}

/** Reads sessions, their users, and the users' current units in one query. */
const sessionsByToken = prepared((db, tokenHashes: Buffer[]) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.token_hash', '=', sql<Buffer>`any(${tokenHashes})`)
    .where('sessions.ended_at', 'is', null)
    .where('users.active', '=', true)
    .leftJoin('memberships', join =>
      join
        .onRef('memberships.user_id', '=', 'users.id')
        .on('memberships.active', '=', true)
        .on(sql<boolean>`(memberships.access_from is null or sessions.created_at > memberships.access_from)`),
    )
    .leftJoin('business_units', join =>
      join.onRef('business_units.id', '=', 'memberships.business_unit_id').on('business_units.suspended', '=', false),
    )
    .leftJoin('second_factors', join =>
      join.onRef('second_factors.user_id', '=', 'users.id').on('second_factors.confirmed_at', 'is not', null),
    )
    .select([
      'sessions.token_hash as tokenHash',
      'sessions.id as sessionId',
      'users.id as userId',
      'users.name',
      'users.email',
      'users.locale as ownLocale',
      'users.density',
      'second_factors.user_id as secondFactorOf',
      'users.administrator',
      'sessions.created_at as createdAt',
      'sessions.last_seen_at as lastSeenAt',
      'business_units.id as businessUnitId',
      'memberships.roles',
      sql<string | null>`business_units.settings->>'brandName'`.as('brandName'),
      sql<string | null>`business_units.settings->>'locale'`.as('locale'),
      sql<number | null>`(business_units.settings->>'sessionIdleHours')::int`.as('idleHours'),
      sql<number | null>`(business_units.settings->>'sessionDays')::int`.as('days'),
      sql<boolean | null>`(business_units.settings->>'twoFactorRequired')::boolean`.as('twoFactorRequired'),
    ])
    .orderBy('memberships.rank')
    .orderBy('business_units.key'),
)

export const findSession = ({ onConnection }: Database, tokenHash: Buffer): Promise<LiveSession | undefined> =>
  onConnection(async alone => sessionOf(await alone(sessionsByToken([tokenHash]))))

const mostAtOnce = 200

/** Opens a batched `findSession`. Calls that arrive together share one query, which starts after the last has arrived. */
export function openSessionQuery(world: Pick<World, 'database' | 'elapsed'>): (tokenHash: Buffer) => Promise<LiveSession | undefined> {
  return together(world, mostAtOnce, async (alone, tokenHashes: Buffer[]) => {
    const nameOf = (tokenHash: Buffer) => tokenHash.toString('latin1')
    const different = new Map(tokenHashes.map(tokenHash => [nameOf(tokenHash), tokenHash]))
    const rows = Map.groupBy(await alone(sessionsByToken([...different.values()])), row => nameOf(row.tokenHash))
    return tokenHashes.map(tokenHash => sessionOf(rows.get(nameOf(tokenHash)) ?? []))
  })
}

function sessionOf(rows: SessionRow[]): LiveSession | undefined {
  const [first] = rows
  if (!first) return undefined
  const memberships = rows.flatMap(membershipOf)
  return {
    sessionId: first.sessionId,
    userId: first.userId,
    name: first.name,
    email: first.email,
    createdAt: first.createdAt,
    lastSeenAt: first.lastSeenAt,
    idleHours: least(rows.map(row => row.idleHours)),
    days: least(rows.map(row => row.days)),
    locale: isLocale(first.ownLocale) ? first.ownLocale : null,
    density: first.density,
    twoFactor: first.secondFactorOf !== null,
    memberships,
    administrator: first.administrator || memberships.some(({ permissions }) => may(permissions, 'b2b-admin')),
  }
}

type SessionRow = ReturnType<typeof sessionsByToken> extends CompiledQuery<infer Row> ? Row : never

function membershipOf(row: {
  businessUnitId: string | null
  brandName: string | null
  locale: string | null
  roles: string[] | null
  twoFactorRequired: boolean | null
  administrator: boolean
}): Membership[] {
  const { businessUnitId, roles, administrator } = row
  if (!businessUnitId || !roles) return []
  const locale = isLocale(row.locale) ? row.locale : 'en-EN'
  const name = row.brandName ?? ''
  const permissions = permissionsOf(rolesHeld(roles, administrator))
  return [{ businessUnitId, name, locale, roles, permissions, twoFactorRequired: row.twoFactorRequired === true }]
}

function least(hours: (number | null)[]): number | null {
  const set = hours.filter(value => value !== null)
  return set.length > 0 ? Math.min(...set) : null
}

/** Records a session's last use. */
export const markSeen = ({ onConnection }: Database, sessionId: string, now: Date): Promise<unknown> =>
  onConnection(alone => alone(compiler.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId).compile()))

export const findUserByEmail = (tx: ServiceTx, email: string) =>
  tx.selectFrom('users').selectAll().where('email', '=', email).where(maySignIn).executeTakeFirst()

/** Records a sign-in. Waits for a concurrent suspension, and returns false if the user may no longer sign in. */
export const recordSignIn = async (tx: ServiceTx, userId: string, now: Date): Promise<boolean> =>
  (await tx
    .updateTable('users')
    .set({ last_sign_in_at: now })
    .where('id', '=', userId)
    .where(maySignIn)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Selects users who may sign in. They are active, and have a unit that is not suspended or administer the whole service. */
const maySignIn = (eb: ExpressionBuilder<Tables, 'users'>) =>
  eb.and([eb('users.active', '=', true), eb.or([eb('users.administrator', '=', true), eb.exists(liveMembership(eb))])])

const liveMembership = (eb: ExpressionBuilder<Tables, 'users'>) =>
  eb
    .selectFrom('memberships')
    .innerJoin('business_units', 'business_units.id', 'memberships.business_unit_id')
    .whereRef('memberships.user_id', '=', 'users.id')
    .where('memberships.active', '=', true)
    .where('business_units.suspended', '=', false)
    .select('memberships.user_id')

/** Locks the user's row until the transaction ends. */
export const lockUser = (tx: ServiceTx, userId: string) =>
  tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().executeTakeFirst()

export const findUserById = (tx: ServiceTx, id: string) =>
  tx.selectFrom('users').selectAll().where('id', '=', id).where('active', '=', true).executeTakeFirst()

export const updateUser = (tx: ServiceTx, id: string, changes: Updateable<SessionTables['users']>) =>
  tx.updateTable('users').set(changes).where('id', '=', id).execute()

/** Returns the unit in whose name the user gets mail: the first of their units. */
export const homeUnit = (tx: Tx, userId: string) =>
  tx
    .selectFrom('memberships')
    .innerJoin('business_units', 'business_units.id', 'memberships.business_unit_id')
    .select('memberships.business_unit_id')
    .where('memberships.user_id', '=', userId)
    .where('memberships.active', '=', true)
    .where('business_units.suspended', '=', false)
    .orderBy('memberships.rank')
    .executeTakeFirst()

/** Returns the `homeUnit`, or any other unit for users without one. The query is the same for all, known or not. */
export const senderUnit = (tx: ServiceTx, userId: string | undefined) =>
  tx
    .selectFrom('business_units')
    .leftJoin('memberships', join =>
      join
        .onRef('memberships.business_unit_id', '=', 'business_units.id')
        .on('memberships.user_id', '=', userId ?? noUser)
        .on('memberships.active', '=', true),
    )
    .select(['business_units.id', sql<boolean>`memberships.user_id is not null`.as('isOwn')])
    .where('business_units.suspended', '=', false)
    .orderBy(sql`memberships.user_id is null`)
    .orderBy('memberships.rank')
    .orderBy('business_units.key')
    .limit(1)
    .executeTakeFirst()

const noUser = '00000000-0000-0000-0000-000000000000'

/** Returns whether one of the user's units requires a second factor. */
export const requiresTwoFactor = async (tx: ServiceTx, userId: string): Promise<boolean> =>
  (await tx
    .selectFrom('memberships')
    .innerJoin('business_units', 'business_units.id', 'memberships.business_unit_id')
    .select('business_units.id')
    .where('memberships.user_id', '=', userId)
    .where('memberships.active', '=', true)
    .where(sql<boolean>`(business_units.settings->>'twoFactorRequired')::boolean`)
    .executeTakeFirst()) !== undefined

/** Stores the hash of a one-time token that is not used yet. */
export const insertToken = (tx: ServiceTx, token: Omit<Insertable<SessionTables['one_time_tokens']>, 'used_at'>) =>
  tx.insertInto('one_time_tokens').values(token).execute()

/** Consumes a one-time token if it is valid. Only one of two concurrent uses succeeds. */
export async function useToken(
  tx: ServiceTx,
  token: { hash: Buffer; purpose: 'sign-in' | 'password' | 'invitation'; flowHash?: Buffer; now: Date },
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

/** Ends the user's sessions, except for one if stated. Returns how many ended. */
export async function endSessionsOf(tx: Tx, userId: string, now: Date, exceptId?: string): Promise<number> {
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(exceptId !== undefined, query => query.where('id', '!=', exceptId ?? ''))
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}

export const openSessionsOf = (tx: ServiceTx, userId: string) =>
  tx
    .selectFrom('sessions')
    .select(['id', 'network', 'user_agent', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .limit(200)
    .execute()

export const endSession = (tx: ServiceTx, userId: string, id: string, now: Date) =>
  tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Voids all links that were mailed to the user, except invitations. */
export const voidLinksOf = (tx: ServiceTx, userId: string, now: Date) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '!=', 'invitation')
    .where('used_at', 'is', null)
    .execute()

/** Returns the user's name and email address, the name of each invitation, and the names of the user's agencies. */
export async function namesOfUser(tx: ServiceTx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .leftJoin('memberships', 'memberships.user_id', 'users.id')
    .leftJoin('business_units', 'business_units.id', 'memberships.business_unit_id')
    .where('users.id', '=', userId)
    .select([
      'users.name',
      'users.email',
      'memberships.invited_name',
      sql<string | null>`business_units.settings->>'brandName'`.as('brandName'),
      sql<string | null>`business_units.settings->>'legalName'`.as('legalName'),
    ])
    .execute()
  return [...new Set(rows.flatMap(row => Object.values(row)))].filter(name => name !== null)
}
