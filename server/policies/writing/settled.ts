import { entriesOfSale } from '#common/accounting/entries.ts'
import { policyNumber } from '#common/policies/number.ts'
import { bookingRow } from '#server/accounting/public.ts'
import type { DocumentFile } from '#server/documents/public.ts'
import { auditRow, noRequest } from '#server/session/public.ts'
import { chargedBy, countsMoved, eventRow, type PolicyRow } from '../queries.ts'
import { withNumber } from '../sale/registration.ts'
import { type Evidence, policyPurchased, type RegisteredSale, type Sales } from '../sale/sales.ts'
import type { Movement } from './queries.ts'

type Settling = Movement & { booking: NonNullable<Movement['booking']> }

/** A sale as it will be settled. `published` is called once that is committed. */
export type Settlement = { movement: Settling; policy: PolicyRow; files: DocumentFile[]; published: () => void }

/** Returns everything that the settlement of a sale writes. `numberIndex` gives the policy number. */
export function settlementOf(
  { world, documents }: Sales,
  { policy: before, payment }: RegisteredSale,
  { evidence, numberIndex }: { evidence: Evidence; numberIndex: number },
): Settlement {
  const now = world.clock.now()
  const number = policyNumber(numberIndex)
  const { gateway, amount_cents: amount, currency } = payment
  const policy: PolicyRow = {
    ...before,
    status: 'purchased',
    number,
    purchased_at: now,
    sold_version: before.version,
    sold_cents: amount,
    updated_at: now,
    search: withNumber(before.search, number),
  }
  const details = { number, gateway }
  const entry = { action: 'policy.purchased', outcome: 'done' as const, object: policy.id, details }
  const intent = evidence.by === 'card' ? evidence.intent : undefined
  const planned = documents.planned(policy)
  const purchased = world.outbox.jobsFor(policyPurchased, { policyId: policy.id, version: policy.version })
  return {
    policy,
    files: planned.files,
    published() {
      purchased.published()
      world.metrics.sales.inc({ gateway })
    },
    movement: {
      policyId: policy.id,
      expects: { status: before.status, revision: before.revision },
      policy: {
        status: policy.status,
        number,
        purchased_at: now,
        sold_version: policy.sold_version,
        sold_cents: amount,
        updated_at: now,
        search: policy.search,
      },
      booking: bookingRow(
        {
          id: world.ids.next(),
          at: now,
          kind: 'sale',
          policy_id: policy.id,
          policy_version: payment.policy_version,
          payment_id: payment.id,
          currency,
        },
        policy,
        entriesOfSale({ lines: chargedBy(payment.lines), way: { gateway, amount } }),
      ),
      settles: {
        id: payment.id,
        policy_version: payment.policy_version,
        settled_at: now,
        intent_id: intent ? intent.id : payment.intent_id,
        received_cents: intent ? intent.receivedCents : payment.received_cents,
      },
      event: eventRow(world, { policyId: policy.id, at: now, by: evidence.actor, what: 'purchased', details }),
      audit: auditRow(world, evidence.where ?? noRequest, entry),
      files: planned.rows,
      jobs: purchased.rows,
      counts: countsMoved(policy.id, before.status, policy.status),
    },
  }
}
