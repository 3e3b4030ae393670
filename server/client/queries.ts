import { type Insertable, type Selectable, sql } from 'kysely'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import type { ClientTables } from './tables.ts'

export type WithdrawalRow = Selectable<ClientTables['withdrawals']>
type NewToken = Omit<Insertable<ClientTables['client_tokens']>, 'business_unit_id'>
type NewWithdrawal = Omit<Insertable<ClientTables['withdrawals']>, 'business_unit_id'>

export const insertToken = (tx: UnitTx, token: NewToken) => tx.insertInto('client_tokens').values(token).execute()

/** Finds what a link that is still valid opens. A link names no unit, so the service looks in all. */
export const findToken = (tx: ServiceTx, hash: Buffer, now: Date) =>
  tx
    .selectFrom('client_tokens as token')
    .innerJoin('business_units', 'business_units.id', 'token.business_unit_id')
    .select(['token.business_unit_id', 'token.policy_id', 'token.recipient_hash', 'token.purpose', 'token.link_id'])
    .select('business_units.suspended')
    .where('token.token_hash', '=', hash)
    .where('token.expires_at', '>', now)
    .executeTakeFirst()

export const deleteExpiredTokens = (tx: ServiceTx, now: Date) => tx.deleteFrom('client_tokens').where('expires_at', '<=', now).execute()

export const insertWithdrawal = (tx: UnitTx, withdrawal: NewWithdrawal): Promise<WithdrawalRow> =>
  tx.insertInto('withdrawals').values(withdrawal).returningAll().executeTakeFirstOrThrow()

export const withdrawalOf = (tx: UnitTx, policyId: string): Promise<WithdrawalRow | undefined> =>
  tx.selectFrom('withdrawals').selectAll().where('policy_id', '=', policyId).executeTakeFirst()

export const findWithdrawal = (tx: UnitTx, id: string): Promise<WithdrawalRow | undefined> =>
  tx.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns the newest version of a quote that is not its client's; the first, if the service made it. */
export async function lastByAgency(tx: UnitTx, policyId: string): Promise<number> {
  const { last } = await tx
    .selectFrom('policy_versions')
    .where('policy_id', '=', policyId)
    .select(({ fn }) => fn.max('version').filterWhere('user_id', 'is not', null).as('last'))
    .executeTakeFirstOrThrow()
  return last ?? 1
}

type Try = { number_hash: Buffer; network: string }

/** Counts the tries of a number and of a network since a moment. */
export const triesSince = (tx: ServiceTx, { number_hash: hash, network }: Try, since: Date) =>
  tx
    .selectFrom('client_finds')
    .where('at', '>', since)
    .where(eb => eb.or([eb('number_hash', '=', hash), eb('network', '=', network)]))
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('number_hash', '=', hash).as('ofNumber'),
      fn.countAll<number>().filterWhere('network', '=', network).as('ofNetwork'),
    ])
    .executeTakeFirstOrThrow()

export const insertTry = (tx: ServiceTx, found: Try & { id: string; at: Date }) => tx.insertInto('client_finds').values(found).execute()

export const deleteOldTries = (tx: ServiceTx, before: Date) => tx.deleteFrom('client_finds').where('at', '<', before).execute()

/** Returns the people of the sold policies with a number, at most one policy a unit, by each unit's index. */
export const peopleNumbered = (tx: ServiceTx, number: string) =>
  tx
    .selectFrom('business_units')
    .innerJoin('policies', 'policies.business_unit_id', 'business_units.id')
    .innerJoin('policy_people', join =>
      join
        .onRef('policy_people.business_unit_id', '=', 'policies.business_unit_id')
        .onRef('policy_people.policy_id', '=', 'policies.id')
        .onRef('policy_people.version', '=', 'policies.version'),
    )
    .where('policies.number', '=', number)
    .where('policies.status', 'in', ['purchased', 'cancelled'])
    .select(['policies.business_unit_id', 'policies.id', 'policy_people.birth_date'])
    .select(['policy_people.document_number', 'policy_people.sealed', 'policy_people.sealed_by'])
    .execute()

/** Returns a unit for the job of a search that found nothing, so that it costs the same. */
export const anyUnit = (tx: ServiceTx): Promise<{ id: string } | undefined> =>
  tx.selectFrom('business_units').select('id').orderBy('key').limit(1).executeTakeFirst()

/** Serialises the tries of a network and then of a number, so that several at once cannot all be the last. */
export async function lockTries(tx: ServiceTx, { number_hash: hash, network }: Try): Promise<void> {
  for (const key of [`find ${network}`, `find ${hash.toString('hex')}`])
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}
