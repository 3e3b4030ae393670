import { type Insertable, type Selectable, sql, type SqlBool } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Lines } from '#common/accounting/book.ts'
import { demandFollowing } from '#common/kit/states.ts'
import { policyLife, type StoredStatus } from '#common/policies/states.ts'
import { looseFiles, type UploadsOf } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import type { SoldEdition } from '#server/products/public.ts'
import { type Opened, openedPerson } from '#server/kit/sealed/document-numbers.ts'
import type { PolicyTables } from './tables.ts'

export type PolicyRow = Selectable<PolicyTables['policies']>
export type NewVersion = Omit<Insertable<PolicyTables['policy_versions']>, 'business_unit_id'>
export type NewPerson = Opened<Omit<Insertable<PolicyTables['policy_people']>, 'business_unit_id'>>
export type NewPriceLine = Omit<Insertable<PolicyTables['policy_price_lines']>, 'business_unit_id'>
/** An entry of a policy's history. `by` is the user; undefined if the service acted by itself. */
export type PolicyEvent = {
  policyId: string
  at: Date
  by?: { userId: string | null; name: string } | undefined
  what: string
  details?: Record<string, unknown>
}

export const findPolicy = (tx: UnitTx, id: string): Promise<PolicyRow | undefined> =>
  tx.selectFrom('policies').selectAll().where('id', '=', id).executeTakeFirst()

/** A policy in one revision. Every change of its row makes a new revision. */
export type RevisedPolicy = PolicyRow & { revision: string }
const revision = sql<string>`policies.xmin::text`.as('revision')

export const findRevision = (tx: UnitTx, id: string): Promise<RevisedPolicy | undefined> =>
  tx.selectFrom('policies').selectAll().select(revision).where('id', '=', id).executeTakeFirst()

/** Locks a policy. Every change of a policy or its payments takes this lock first, so concurrent changes never miss each other. */
export const lockPolicy = (tx: UnitTx, id: string): Promise<PolicyRow | undefined> =>
  tx.selectFrom('policies').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Locks the policy of a payment. A payment never moves to another policy. */
export const lockPolicyOfPayment = (tx: UnitTx, paymentId: string): Promise<RevisedPolicy | undefined> =>
  tx
    .selectFrom('policies')
    .selectAll()
    .select(revision)
    .where('id', '=', eb =>
      eb.selectFrom('payments').select('policy_id').where('business_unit_id', '=', tx.businessUnitId).where('id', '=', paymentId),
    )
    .forUpdate()
    .executeTakeFirst()

/** Finds a payment with the price lines of the version that it pays, in one statement. */
export const findPaymentWithLines = (tx: UnitTx, by: { id: string } | { intent_id: string }) =>
  tx
    .selectFrom('payments')
    .selectAll('payments')
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('policy_price_lines as line')
          .select(['line.kind', 'line.code', 'line.amount_cents'])
          .whereRef('line.business_unit_id', '=', 'payments.business_unit_id')
          .whereRef('line.policy_id', '=', 'payments.policy_id')
          .whereRef('line.version', '=', 'payments.policy_version'),
      ).as('lines'),
    )
    .where(eb => eb.and(by))
    .executeTakeFirst()

export type PaymentWithLines = NonNullable<Awaited<ReturnType<typeof findPaymentWithLines>>>

/** Returns the charged amounts of price lines, in the form that the money book takes. */
export function chargedBy(lines: readonly Pick<NewPriceLine, 'kind' | 'code' | 'amount_cents'>[]): Lines {
  const sum = (...kinds: NewPriceLine['kind'][]) =>
    lines.reduce((cents, line) => (kinds.includes(line.kind) ? cents + line.amount_cents : cents), 0)
  const taxes = lines.filter(({ kind }) => kind === 'tax').map(({ code, amount_cents: amount }) => ({ code: code ?? '', amount }))
  return { premium: sum('travel', 'cancellation'), taxes, commission: sum('commission') }
}

/** Moves a policy to its next status, with the event of it. A sale and a step after it do so with all that they write. */
export async function movePolicy(
  world: Pick<World, 'ids'>,
  tx: UnitTx,
  { id, status }: Pick<PolicyRow, 'id' | 'status'>,
  to: StoredStatus,
  event: Omit<PolicyEvent, 'policyId'>,
): Promise<void> {
  demandFollowing(policyLife, status, to)
  await tx
    .updateTable('policies')
    .set({ status: to, updated_at: event.at })
    .where('id', '=', id)
    .where('status', '=', status)
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent(world, tx, { ...event, policyId: id })
  await moveCount(tx, id, status, to)
}

export const recordEvent = (world: Pick<World, 'ids'>, tx: UnitTx, event: PolicyEvent) => {
  const row = eventRow(world, event)
  return tx
    .insertInto('policy_history')
    .values({ ...row, details: JSON.stringify(row.details) })
    .execute()
}

/** Returns the row of an event, for a statement that writes it with others. */
export const eventRow = ({ ids }: Pick<World, 'ids'>, { policyId, at, by, what, details = {} }: PolicyEvent) => ({
  policy_id: policyId,
  id: ids.next(),
  at,
  user_id: by?.userId ?? null,
  user_name: by?.name ?? null,
  what,
  details,
})

/** The columns of people without the document number. */
const named = [
  'position',
  'holder',
  'traveller',
  'name',
  'middle_name',
  'last_name',
  'company_name',
  'birth_date',
  'email',
  'phone_prefix',
  'phone_number',
  'premium_cents',
] as const

/** Finds the policyholder in the policy's current version. */
export const findHolder = (tx: UnitTx, policy: Pick<PolicyRow, 'id' | 'version'>) =>
  tx
    .selectFrom('policy_people')
    .select(named)
    .where('policy_id', '=', policy.id)
    .where('version', '=', policy.version)
    .where('holder', '=', true)
    .executeTakeFirst()

/** Finds a policy with the email address of its policyholder, in one statement. */
export const findWithHolder = (tx: UnitTx, id: string) =>
  tx
    .selectFrom('policies')
    .selectAll('policies')
    .select(eb =>
      eb
        .selectFrom('policy_people as person')
        .select('person.email')
        .whereRef('person.business_unit_id', '=', 'policies.business_unit_id')
        .whereRef('person.policy_id', '=', 'policies.id')
        .whereRef('person.version', '=', 'policies.version')
        .where('person.holder', '=', true)
        .as('email'),
    )
    .where('id', '=', id)
    .executeTakeFirst()

/** Several rows per unit, so that concurrent sales seldom wait for each other. A policy always counts in the same row. */
const countRows = 16
const partOf = (policyId: string): number => Number.parseInt(policyId.slice(-2), 16) % countRows

const statuses = ['budgeted', 'pending', 'purchased', 'cancelled', 'deleted', 'blocked'] as const

/** Returns what is added to the unit's counts as a policy moves from one status to another, by `changed` movements. */
export const countsMoved = (policyId: string, from: StoredStatus | undefined, to: StoredStatus, changed = 0) => {
  const moved = (status: StoredStatus): number => Number(status === to) - Number(status === from)
  return { part: partOf(policyId), changed, ...byStatus(moved) }
}

const byStatus = <V>(value: (status: StoredStatus) => V) =>
  // Safe: it has each status.
  Object.fromEntries(statuses.map(status => [status, value(status)])) as Record<StoredStatus, V>

/** Moves a policy from one status count to another. A sale locks this row last, so its holder never waits for another lock. */
export async function moveCount(tx: UnitTx, policyId: string, from: StoredStatus, to: StoredStatus, changed = 0): Promise<void> {
  const added = (status: StoredStatus | 'changed') => sql<number>`${sql.ref(`policy_counts.${status}`)} + ${sql.ref(`excluded.${status}`)}`
  await tx
    .insertInto('policy_counts')
    .values(countsMoved(policyId, from, to, changed))
    .onConflict(conflict => conflict.columns(['business_unit_id', 'part']).doUpdateSet({ ...byStatus(added), changed: added('changed') }))
    .execute()
}

/** Returns the unit's number of policies by status, and of movements on them, from kept counts. */
export async function policyCounts(tx: UnitTx): Promise<Record<StoredStatus | 'changed', number>> {
  const sum = (status: StoredStatus | 'changed') => sql<number>`coalesce(sum(${sql.ref(status)}), 0)::bigint`.as(status)
  return tx
    .selectFrom('policy_counts')
    .select([sum('budgeted'), sum('pending'), sum('purchased'), sum('cancelled'), sum('deleted'), sum('blocked'), sum('changed')])
    .executeTakeFirstOrThrow()
}

/** Reserves `many` consecutive numbers, which no agency has, and returns the first. */
export async function takeNumbers(tx: ServiceTx, many: number): Promise<number> {
  const { next_number } = await tx
    .updateTable('policy_numbering')
    .set({ next_number: sql`next_number + ${many}` })
    .returning('next_number')
    .executeTakeFirstOrThrow()
  return next_number - many
}

const current = ({ id, version }: Pick<PolicyRow, 'id' | 'version'>) => ({
  policy_id: id,
  version,
})

/** Returns the version that the policy is, or was, sold with. */
export const versionOf = (tx: UnitTx, policy: Pick<PolicyRow, 'id' | 'version'>) =>
  tx
    .selectFrom('policy_versions')
    .selectAll()
    .where(eb => eb.and(current(policy)))
    .executeTakeFirstOrThrow()

/** Returns the edition of the catalogue that a version was priced by. */
export const editionOf = (
  { product_version, catalogue_version, tariff_version }: Awaited<ReturnType<typeof versionOf>>,
  productId: string,
): SoldEdition => ({
  productId,
  product: product_version,
  catalogue: catalogue_version,
  tariff: tariff_version,
})

/** Returns the people of a version without their document numbers. */
export const namesOf = (tx: UnitTx, policy: Pick<PolicyRow, 'id' | 'version'>) =>
  tx
    .selectFrom('policy_people')
    .select(named)
    .where(eb => eb.and(current(policy)))
    .orderBy('position')
    .execute()

/** Returns the people of a version with their document numbers in clear. */
export async function peopleOf(secrets: Secrets, tx: UnitTx, policy: Pick<PolicyRow, 'id' | 'version'>): Promise<PersonRow[]> {
  const people = await tx
    .selectFrom('policy_people')
    .selectAll()
    .where(eb => eb.and(current(policy)))
    .orderBy('position')
    .execute()
  return people.map(person => openedPerson(secrets, person))
}

/** A person with the document number in clear. */
export type PersonRow = Opened<Selectable<PolicyTables['policy_people']>>

export const linesOf = (tx: UnitTx, policy: Pick<PolicyRow, 'id' | 'version'>) =>
  tx
    .selectFrom('policy_price_lines')
    .selectAll()
    .where(eb => eb.and(current(policy)))
    .orderBy('position')
    .execute()

export const historyOf = (tx: UnitTx, policyId: string) =>
  tx.selectFrom('policy_history').selectAll().where('policy_id', '=', policyId).orderBy('at').orderBy('id').execute()

/** Finds the policy sold under a number, if the caller may know of it. */
export const soldPolicy = (tx: UnitTx, number: string, sellerId: string | undefined): Promise<PolicyRow | undefined> => {
  const found = tx.selectFrom('policies').selectAll().where('number', '=', number).where('status', 'in', ['purchased', 'cancelled'])
  return (sellerId === undefined ? found : found.where('seller_id', '=', sellerId)).executeTakeFirst()
}

/** Returns the policies with this number and their agencies, at most one a unit, by each unit's index. */
export const policiesNumbered = (tx: ServiceTx, number: string) =>
  tx
    .selectFrom('business_units')
    .innerJoin('policies', 'policies.business_unit_id', 'business_units.id')
    .where('policies.number', '=', number)
    .where('policies.status', 'in', ['purchased', 'cancelled'])
    .select(['policies.id', 'policies.status', 'policies.start_date', 'policies.end_date'])
    .select(['policies.business_unit_id', 'policies.version', 'policies.sold_version'])
    .select(sql<string>`business_units.settings->>'timeZone'`.as('time_zone'))
    .select(sql<string>`business_units.settings->>'brandName'`.as('agency'))
    .execute()

export type Numbered = Awaited<ReturnType<typeof policiesNumbered>>[number]

/** The documents of policyholders. One without a policy or a saved quote belongs to its uploader. */
export const policyUploads: UploadsOf = { kind: 'upload', isLoose: sql<SqlBool>`policy_id is null` }

export type PolicyUpload = { id: string; name: string; mediaType: string; size: number }

/** Returns the document that the policyholder brought to a policy or a saved quote. */
export const uploadOf = (tx: UnitTx, policyId: string): Promise<PolicyUpload | undefined> =>
  tx
    .selectFrom('files')
    .where('policy_id', '=', policyId)
    .where('kind', '=', policyUploads.kind)
    .select(['id', 'name', 'media_type as mediaType', sql<number>`size`.as('size')])
    .executeTakeFirst()

/** Returns whether a user's upload can go with a sale. Locks it. */
export const isFree = async (tx: UnitTx, id: string, userId: string): Promise<boolean> =>
  (await looseFiles(tx, policyUploads, [id], userId)).length > 0

export const bindUpload = (tx: UnitTx, id: string, policyId: string) =>
  tx.updateTable('files').set({ policy_id: policyId }).where('id', '=', id).execute()

/** Finds each agent of these policies by one lookup in an index, with the name of the latest policy. */
export async function agentsOf(tx: UnitTx, statuses: StoredStatus[]): Promise<{ id: string; name: string }[]> {
  const next = (after: ReturnType<typeof sql>) => sql`select seller_id from policies
    where business_unit_id = ${tx.businessUnitId} and seller_id > ${after} order by seller_id limit 1`
  const { rows } = await sql<{ id: string; name: string }>`
    with recursive sellers as (
      (${next(sql`'00000000-0000-0000-0000-000000000000'::uuid`)})
      union all
      select following.seller_id from sellers cross join lateral (${next(sql`sellers.seller_id`)}) as following)
    select seller_id as id, last.name from sellers cross join lateral (
      select seller_name as name from unnest(${statuses}::text[]) as each (status) cross join lateral (
        select seller_name, created_at from policies
        where business_unit_id = ${tx.businessUnitId} and seller_id = sellers.seller_id and status = each.status
        order by created_at desc, id desc limit 1) as newest
      order by created_at desc limit 1) as last
    order by name, id`.execute(tx)
  return rows
}
