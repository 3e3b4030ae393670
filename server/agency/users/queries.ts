import { type Insertable, sql, type Updateable } from 'kysely'
import type { ServiceTx, UnitTx, UnitWithinTx } from '#server/kit/database.ts'
import { invited, type SessionTables } from '#server/session/public.ts'

/**
 * A member, with only what the unit may know. Users belong to no unit, so queries run as the service and name the unit.
 * For an invited user it holds the unit's own entries and nothing from other agencies.
 */
export type Member = {
  userId: string
  name: string
  email: string
  roles: string[]
  active: boolean
  invited: boolean
  invitedAt: Date | null
  /** True for an administrator of the whole service. */
  administrator: boolean
  /** False if the insurer has suspended the user as a whole. */
  userActive: boolean
  lastSignInAt: Date | null
  sessions: number
  /** True if the user works for another agency, too. Sessions and sign-ins are then not this one's alone. */
  hasOtherUnits: boolean
  twoFactor: boolean
  /** The part of the commission that is the user's, in basis points. */
  shareBp: number | null
}

export async function listMembers(tx: UnitTx): Promise<Member[]> {
  const [found, shares] = await Promise.all([members(tx).orderBy(sql`lower(users.name)`).orderBy('users.id').execute(), newestShares(tx)])
  return found.map(member => ({ ...member, shareBp: shares.get(member.userId) ?? null }))
}

export async function findMember(tx: UnitTx, userId: string): Promise<Member | undefined> {
  const [member, shares] = await Promise.all([members(tx).where('users.id', '=', userId).executeTakeFirst(), newestShares(tx, userId)])
  return member && { ...member, shareBp: shares.get(userId) ?? null }
}

/** Returns the newest share of each user, or of one. Shares are stored on the unit's machine, unlike users and sessions. */
async function newestShares(tx: UnitTx, userId?: string): Promise<ReadonlyMap<string, number | null>> {
  const rows = await tx
    .selectFrom('commission_shares')
    .distinctOn('user_id')
    .select(['user_id', 'share_bp'])
    .$if(userId !== undefined, query => query.where('user_id', '=', userId ?? ''))
    .orderBy('user_id')
    .orderBy('month', 'desc')
    .execute()
  return new Map(rows.map(({ user_id, share_bp }) => [user_id, share_bp]))
}

/** Selects members. A user whose invitation the administration closed never was one. */
const belongs = sql<boolean>`(memberships.active or memberships.invited_at is not null or memberships.accepted_at is not null)`

const members = (tx: UnitTx) =>
  tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('second_factors', join =>
      join.onRef('second_factors.user_id', '=', 'users.id').on('second_factors.confirmed_at', 'is not', null),
    )
    .select(eb => [
      'users.id as userId',
      sql<string>`coalesce(memberships.invited_name, users.name)`.as('name'),
      'users.email',
      'memberships.roles',
      'memberships.active',
      'users.active as userActive',
      invited.as('invited'),
      sql<boolean>`users.administrator and not (${invited})`.as('administrator'),
      'memberships.invited_at as invitedAt',
      'users.last_sign_in_at as lastSignInAt',
      sql<boolean>`second_factors.user_id is not null`.as('twoFactor'),
      eb
        .selectFrom('sessions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .where('sessions.ended_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('sessions'),
      eb
        .exists(
          eb
            .selectFrom('memberships as others')
            .select('others.user_id')
            .whereRef('others.user_id', '=', 'users.id')
            .where('others.business_unit_id', '!=', tx.businessUnitId)
            .where('others.active', '=', true),
        )
        .$castTo<boolean>()
        .as('hasOtherUnits'),
    ])
    .where(belongs)

/** Locks all members until the transaction ends. A change thus sees the others' latest state and cannot remove the last manager. */
export async function lockMembers(tx: UnitTx): Promise<Member[]> {
  await tx.selectFrom('memberships').select('user_id').orderBy('user_id').forUpdate().execute()
  return listMembers(tx)
}

export const updateMember = (tx: UnitTx, userId: string, changes: Updateable<SessionTables['memberships']>) =>
  tx.updateTable('memberships').set(changes).where('user_id', '=', userId).execute()

export const deleteMember = (tx: UnitTx, userId: string) => tx.deleteFrom('memberships').where('user_id', '=', userId).execute()

/** Inserts a membership. Returns undefined if the user belongs to the unit already. */
export const insertMember = (tx: UnitTx, member: Omit<Insertable<SessionTables['memberships']>, 'business_unit_id'>) =>
  tx
    .insertInto('memberships')
    .values(member)
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'user_id'])
        .doUpdateSet({ roles: member.roles, invited_at: member.invited_at, invited_name: member.invited_name })
        .where(eb => eb.not(belongs)),
    )
    .returning('user_id')
    .executeTakeFirst()

/** Returns the user of an address, created if there is none. */
export async function userOf(tx: ServiceTx, fresh: Insertable<SessionTables['users']>): Promise<string> {
  await tx
    .insertInto('users')
    .values(fresh)
    .onConflict(conflict => conflict.column('email').doNothing())
    .execute()
  const { id } = await tx.selectFrom('users').select('id').where('email', '=', fresh.email).executeTakeFirstOrThrow()
  return id
}

/** Returns the user's memberships and invitations in other units. */
export const otherMemberships = (tx: UnitWithinTx, userId: string) =>
  tx.whole
    .selectFrom('memberships')
    .select(['business_unit_id', 'active'])
    .where('user_id', '=', userId)
    .where('business_unit_id', '!=', tx.businessUnitId)
    .where(belongs)
    .execute()

export async function countActionsSince(tx: UnitTx, action: string, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('at', '>', since)
    .where('action', '=', action)
    .where('outcome', '=', 'done')
    .executeTakeFirstOrThrow()
  return count
}
