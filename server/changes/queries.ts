import { type Insertable, type Selectable, sql } from 'kysely'
import { movedBy } from '#common/changes/money.ts'
import { leadingTo } from '#common/kit/states.ts'
import { openChangeLife } from '#common/changes/state.ts'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import type { NumberSought } from '#server/kit/sealed/document-numbers.ts'
import type { PolicyRow } from '#server/policies/public.ts'
import type { ChangeTables } from './tables.ts'

/** True if another purchased policy of the unit has the product, the days and a document number of this one. */
export async function hasTwin(tx: UnitTx, policy: PolicyRow, numbers: NumberSought[]): Promise<boolean> {
  if (numbers.length === 0) return false
  const found = await tx
    .selectFrom('policy_people')
    .innerJoin('policies', join =>
      join
        .onRef('policies.business_unit_id', '=', 'policy_people.business_unit_id')
        .onRef('policies.id', '=', 'policy_people.policy_id')
        .onRef('policies.version', '=', 'policy_people.version'),
    )
    .where(eb =>
      eb.or([
        eb('policy_people.document_hash', '=', eb.fn.any(eb.val(numbers.flatMap(({ hashes }) => hashes)))),
        eb('policy_people.document_number', '=', eb.fn.any(eb.val(numbers.map(({ stored }) => stored)))),
      ]),
    )
    .where('policies.id', '<>', policy.id)
    .where('policies.status', '=', 'purchased')
    .where('policies.product_id', '=', policy.product_id)
    .where('policies.start_date', '=', policy.start_date)
    .where('policies.end_date', '=', policy.end_date)
    .select(sql<number>`1`.as('found'))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export type MovementRow = Selectable<ChangeTables['policy_deeds']>

/** Returns the money that a step moved. */
export const movedIn = ({ charge_cents: charge, refund_cents: refund, waived_cents: waived }: MovementRow) =>
  movedBy({ charge, refund, waived })

export const segmentsOf = (tx: UnitTx, policyId: string, version: number) =>
  tx
    .selectFrom('policy_segments')
    .selectAll()
    .where('policy_id', '=', policyId)
    .where('version', '=', version)
    .orderBy('position')
    .execute()

export const movementsOf = (tx: UnitTx, policyId: string): Promise<MovementRow[]> =>
  tx.selectFrom('policy_deeds').selectAll().where('policy_id', '=', policyId).orderBy('to_version').execute()

export const movementTo = (tx: UnitTx, policyId: string, version: number): Promise<MovementRow | undefined> =>
  tx.selectFrom('policy_deeds').selectAll().where('policy_id', '=', policyId).where('to_version', '=', version).executeTakeFirst()

/** Returns the first version after the sale that each person is in, also for people of the sale. */
export const firstVersions = (tx: UnitTx, policyId: string) =>
  tx
    .selectFrom('policy_people')
    .where('policy_id', '=', policyId)
    .where('person_id', 'is not', null)
    .groupBy('person_id')
    .select(({ fn }) => ['person_id', fn.min('version').as('version')])
    .execute()

/** Returns how much of the charges of a policy's movements was waived. */
export async function waivedOf(tx: UnitTx, policyId: string): Promise<number> {
  const { waived } = await tx
    .selectFrom('policy_deeds')
    .where('policy_id', '=', policyId)
    .select(({ fn }) => fn.sum<string | null>('waived_cents').as('waived'))
    .executeTakeFirstOrThrow()
  return Number(waived ?? 0)
}

export const movementOfWithdrawal = (tx: UnitTx, withdrawalId: string): Promise<MovementRow | undefined> =>
  tx.selectFrom('policy_deeds').selectAll().where('withdrawal_id', '=', withdrawalId).executeTakeFirst()

/** Returns all versions of a policy, with the number of people in each. */
export const versionsOf = (tx: UnitTx, policyId: string) =>
  tx.selectFrom('policy_versions').select(['version', 'at', 'pax_number']).where('policy_id', '=', policyId).orderBy('version').execute()

export const movementById = (tx: UnitTx, id: string): Promise<MovementRow | undefined> =>
  tx.selectFrom('policy_deeds').selectAll().where('id', '=', id).executeTakeFirst()

export type OpenChangeRow = Selectable<ChangeTables['open_changes']>
export type NewOpenChange = Omit<Insertable<ChangeTables['open_changes']>, 'business_unit_id'>

export const insertOpenChange = (tx: UnitTx, open: NewOpenChange): Promise<OpenChangeRow> =>
  tx.insertInto('open_changes').values(open).returningAll().executeTakeFirstOrThrow()

const opened = (tx: UnitTx) => tx.selectFrom('open_changes').selectAll()

/** Finds the change of a policy that is offered or waits for its payment. */
export const openChangeOf = (tx: UnitTx, policyId: string): Promise<OpenChangeRow | undefined> =>
  opened(tx).where('policy_id', '=', policyId).where('ended_at', 'is', null).executeTakeFirst()

export const openChangeById = (tx: UnitTx, id: string): Promise<OpenChangeRow | undefined> =>
  opened(tx).where('id', '=', id).executeTakeFirst()

export const openChangeOfPayment = (tx: UnitTx, paymentId: string): Promise<OpenChangeRow | undefined> =>
  opened(tx).where('payment_id', '=', paymentId).executeTakeFirst()

/** Returns the newest offer of a policy, in any state. */
export const lastOfferOf = (tx: UnitTx, policyId: string): Promise<OpenChangeRow | undefined> =>
  opened(tx).where('policy_id', '=', policyId).where('offered_to', 'is not', null).orderBy('at', 'desc').limit(1).executeTakeFirst()

/** Records that the client begins to pay an offer. The policy's lock is held. */
export const awaitPayment = (tx: UnitTx, id: string, paymentId: string): Promise<OpenChangeRow> =>
  tx
    .updateTable('open_changes')
    .set({ state: 'awaiting_payment', payment_id: paymentId })
    .where('id', '=', id)
    .where('state', 'in', leadingTo(openChangeLife, 'awaiting_payment'))
    .returningAll()
    .executeTakeFirstOrThrow()

/** Returns expired offers of all units. Each is checked again under its policy's lock. */
export const offersOver = (tx: ServiceTx, now: Date) =>
  tx
    .selectFrom('open_changes')
    .select(['business_unit_id', 'id', 'policy_id'])
    .where('state', '=', 'offered')
    .where('until', '<=', now)
    .orderBy('until')
    .limit(100)
    .execute()

export type Unmade = 'declined' | 'expired' | 'taken_back'

/** Ends an open change, and deletes its personal data. */
export const endOpenChange = (tx: UnitTx, id: string, state: 'done' | Unmade, now: Date) =>
  tx
    .updateTable('open_changes')
    .set({ state, ended_at: now, asked: null, step: null, sealed: null, sealed_by: null, request_key: null })
    .where('id', '=', id)
    .where('state', 'in', leadingTo(openChangeLife, state))
    .execute()
