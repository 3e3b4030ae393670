import { type Insertable, sql, type Updateable } from 'kysely'
import type { ServiceTx, UnitTx, UnitWithinTx } from '#server/kit/database.ts'
import { invited } from '#server/session/public.ts'
import type { SessionTables } from '#server/session/tables.ts'

/**
 * A member as his unit may know him. Users belong to no unit, so all of this is asked as the service, and every statement names the unit. Of
 * somebody who is only invited it says what the unit itself wrote, and nothing of what he is elsewhere.
 */
export type Member = {
  userId: string
  name: string
  email: string
  roles: string[]
  active: boolean
  invited: boolean
  invitedAt: Date | null
  /** Of the whole service. */
  administrator: boolean
  /** Not suspended as a whole by the insurer. */
  alive: boolean
  lastSignInAt: Date | null
  sessions: number
  /** For another agency, too: sessions and sign-ins are not this one's alone. */
  worksElsewhere: boolean
  twoFactor: boolean
}

export const listMembers = (tx: UnitTx): Promise<Member[]> => members(tx).orderBy(sql`lower(users.name)`).orderBy('users.id').execute()

export const findMember = (tx: UnitTx, userId: string): Promise<Member | undefined> =>
  members(tx).where('users.id', '=', userId).executeTakeFirst()

/** Whose invitation the administration has closed was never here. */
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
      'users.active as alive',
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
        .as('worksElsewhere'),
    ])
    .where(belongs)

/** All members, held until the transaction ends: whoever changes one sees what became of the others (nobody locks out the last manager). */
export async function holdMembers(tx: UnitTx): Promise<Member[]> {
  await tx.selectFrom('memberships').select('user_id').orderBy('user_id').forUpdate().execute()
  return listMembers(tx)
}

export const updateMember = (tx: UnitTx, userId: string, changes: Updateable<SessionTables['memberships']>) =>
  tx.updateTable('memberships').set(changes).where('user_id', '=', userId).execute()

export const deleteMember = (tx: UnitTx, userId: string) => tx.deleteFrom('memberships').where('user_id', '=', userId).execute()

/** Nothing when he belongs to the unit already. */
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

/** The one user of an address, known before or made now. */
export async function userOf(tx: ServiceTx, fresh: Insertable<SessionTables['users']>): Promise<string> {
  await tx
    .insertInto('users')
    .values(fresh)
    .onConflict(conflict => conflict.column('email').doNothing())
    .execute()
  const { id } = await tx.selectFrom('users').select('id').where('email', '=', fresh.email).executeTakeFirstOrThrow()
  return id
}

/** The other units that he belongs to, or is invited to. */
export const elsewhere = (tx: UnitWithinTx, userId: string) =>
  tx.whole
    .selectFrom('memberships')
    .select(['business_unit_id', 'active'])
    .where('user_id', '=', userId)
    .where('business_unit_id', '!=', tx.businessUnitId)
    .where(belongs)
    .execute()

export async function deedsSince(tx: UnitTx, action: string, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('at', '>', since)
    .where('action', '=', action)
    .where('outcome', '=', 'done')
    .executeTakeFirstOrThrow()
  return count
}
