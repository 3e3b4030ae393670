import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { PolicyTables, StoredStatus } from './tables.ts'

export type PolicyRow = Selectable<PolicyTables['policies']>
export type NewPolicy = Omit<Insertable<PolicyTables['policies']>, 'business_unit_id'>
export type NewVersion = Omit<Insertable<PolicyTables['policy_versions']>, 'business_unit_id'>
export type NewPerson = Omit<Insertable<PolicyTables['policy_people']>, 'business_unit_id'>
export type NewPriceLine = Omit<Insertable<PolicyTables['policy_price_lines']>, 'business_unit_id'>
export type Deed = Omit<Insertable<PolicyTables['policy_history']>, 'business_unit_id' | 'details'> & { details?: Record<string, unknown> }

export const findPolicy = (scope: Scope, tx: Tx, id: string): Promise<PolicyRow | undefined> =>
  tx.selectFrom('policies').selectAll().where('business_unit_id', '=', scope.businessUnitId).where('id', '=', id).executeTakeFirst()

/** Whoever changes a policy or one of its payments holds this row first; so two who do it at once cannot miss each other. */
export const lockPolicy = (scope: Scope, tx: Tx, id: string): Promise<PolicyRow | undefined> =>
  tx
    .selectFrom('policies')
    .selectAll()
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** As `lockPolicy`, for whoever knows only which payment. A payment never moves to another policy. */
export const lockPolicyOfPayment = (scope: Scope, tx: Tx, paymentId: string): Promise<PolicyRow | undefined> =>
  tx
    .selectFrom('policies')
    .selectAll()
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('id', '=', eb =>
      eb.selectFrom('payments').select('policy_id').where('business_unit_id', '=', scope.businessUnitId).where('id', '=', paymentId),
    )
    .forUpdate()
    .executeTakeFirst()

export const insertPolicy = (scope: Scope, tx: Tx, policy: NewPolicy): Promise<PolicyRow> =>
  tx
    .insertInto('policies')
    .values({ business_unit_id: scope.businessUnitId, ...policy })
    .returningAll()
    .executeTakeFirstOrThrow()

/** The status moves only from where it was when the row was locked: nothing leads back from a sale, whoever forgets to look. */
export async function changePolicy(
  scope: Scope,
  tx: Tx,
  policy: Pick<PolicyRow, 'id' | 'status'>,
  changes: Updateable<PolicyTables['policies']>,
): Promise<PolicyRow> {
  return tx
    .updateTable('policies')
    .set(changes)
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('id', '=', policy.id)
    .where('status', '=', policy.status)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const insertVersion = (scope: Scope, tx: Tx, version: NewVersion) =>
  tx
    .insertInto('policy_versions')
    .values({ business_unit_id: scope.businessUnitId, ...version })
    .execute()

export const insertPeople = async (scope: Scope, tx: Tx, people: NewPerson[]): Promise<void> => {
  if (people.length === 0) return
  await tx
    .insertInto('policy_people')
    .values(people.map(person => ({ business_unit_id: scope.businessUnitId, ...person })))
    .execute()
}

export const insertPriceLines = async (scope: Scope, tx: Tx, lines: NewPriceLine[]): Promise<void> => {
  if (lines.length === 0) return
  await tx
    .insertInto('policy_price_lines')
    .values(lines.map(line => ({ business_unit_id: scope.businessUnitId, ...line })))
    .execute()
}

export const recordDeed = (scope: Scope, tx: Tx, { details = {}, ...deed }: Deed) =>
  tx
    .insertInto('policy_history')
    .values({ business_unit_id: scope.businessUnitId, ...deed, details: JSON.stringify(details) })
    .execute()

/** The policyholder of the version that is sold. */
export const findHolder = (scope: Scope, tx: Tx, policy: Pick<PolicyRow, 'id' | 'version'>) =>
  tx
    .selectFrom('policy_people')
    .selectAll()
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('policy_id', '=', policy.id)
    .where('version', '=', policy.version)
    .where('holder', '=', true)
    .executeTakeFirst()

/** Several rows a unit, so that sales at the same time seldom wait for each other; a policy always counts in the same one. */
const parts = 16

/** The last row that a sale touches, and only one: nobody who holds it waits for anything else. */
export async function countMove(scope: Scope, tx: Tx, policyId: string, from: StoredStatus | undefined, to: StoredStatus): Promise<void> {
  if (from === to) return
  const part = Number.parseInt(policyId.slice(-2), 16) % parts
  const moved = (status: StoredStatus) => (status === to ? 1 : status === from ? -1 : 0)
  const statuses = ['budgeted', 'pending', 'purchased', 'cancelled', 'deleted'] as const
  await tx
    .insertInto('policy_counts')
    .values({ business_unit_id: scope.businessUnitId, part, ...Object.fromEntries(statuses.map(status => [status, moved(status)])) })
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'part'])
        .doUpdateSet(Object.fromEntries(statuses.map(status => [status, sql`${sql.ref(`policy_counts.${status}`)} + ${moved(status)}`]))),
    )
    .execute()
}

/** How many policies of each status the unit has, without counting them. */
export async function policyCounts(scope: Scope, tx: Tx): Promise<Record<StoredStatus, number>> {
  const sum = (status: StoredStatus) => sql<number>`coalesce(sum(${sql.ref(status)}), 0)::bigint`.as(status)
  return tx
    .selectFrom('policy_counts')
    .where('business_unit_id', '=', scope.businessUnitId)
    .select([sum('budgeted'), sum('pending'), sum('purchased'), sum('cancelled'), sum('deleted')])
    .executeTakeFirstOrThrow()
}

/** Takes so many places in the unit's row of numbers, and gives the first. */
export async function takeNumbers(scope: Scope, tx: Tx, many: number): Promise<number> {
  const { next_number } = await tx
    .insertInto('policy_numbers')
    .values({ business_unit_id: scope.businessUnitId, next_number: many })
    .onConflict(conflict => conflict.column('business_unit_id').doUpdateSet({ next_number: sql`policy_numbers.next_number + ${many}` }))
    .returning('next_number')
    .executeTakeFirstOrThrow()
  return next_number - many
}

const current = (scope: Scope, { id, version }: Pick<PolicyRow, 'id' | 'version'>) => ({
  business_unit_id: scope.businessUnitId,
  policy_id: id,
  version,
})

/** What the policy is, or was, sold with. */
export const versionOf = (scope: Scope, tx: Tx, policy: Pick<PolicyRow, 'id' | 'version'>) =>
  tx
    .selectFrom('policy_versions')
    .selectAll()
    .where(eb => eb.and(current(scope, policy)))
    .executeTakeFirstOrThrow()

export const peopleOf = (scope: Scope, tx: Tx, policy: Pick<PolicyRow, 'id' | 'version'>) =>
  tx
    .selectFrom('policy_people')
    .selectAll()
    .where(eb => eb.and(current(scope, policy)))
    .orderBy('position')
    .execute()

export const linesOf = (scope: Scope, tx: Tx, policy: Pick<PolicyRow, 'id' | 'version'>) =>
  tx
    .selectFrom('policy_price_lines')
    .selectAll()
    .where(eb => eb.and(current(scope, policy)))
    .orderBy('position')
    .execute()

export const historyOf = (scope: Scope, tx: Tx, policyId: string) =>
  tx
    .selectFrom('policy_history')
    .selectAll()
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('policy_id', '=', policyId)
    .orderBy('at')
    .orderBy('id')
    .execute()
