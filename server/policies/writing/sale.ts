import { entriesOfSale } from '#common/accounting/book.ts'
import { policyNumber } from '#common/policies/number.ts'
import { bookingRow } from '#server/accounting/public.ts'
import type { DocumentFile } from '#server/documents/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import type { RequestKeys } from '#server/kit/http/idempotency.ts'
import { personInStatement } from '#server/kit/sealed/document-numbers.ts'
import type { PaymentRow } from '#server/payments/public.ts'
import type { UnitCatalogue } from '#server/quotes/public.ts'
import { auditRow, noRequest, type Where } from '#server/session/public.ts'
import { chargedBy, countsMoved, eventRow, type PolicyRow } from '../queries.ts'
import { type CheckedRegistration, rowsOf, unsold, withNumber } from '../sale/registration.ts'
import { type Evidence, policyPurchased, type RegisteredSale, type Sales } from '../sale/sale-context.ts'
import { type Movement, type NewContents, unpaid } from './queries.ts'

type Around = { catalogue: UnitCatalogue; keys: RequestKeys | null; replaced: PolicyRow | undefined }

/** A registration to write, with its policy and payment as they will be stored. */
export type Registering = { movement: Movement & NewContents; policy: PolicyRow; payment: PaymentRow }

/** Returns everything that a registration writes. */
export function registering(
  world: World,
  input: Where & { caller: CallerInUnit },
  registration: CheckedRegistration,
  { catalogue, keys, replaced }: Around,
): Registering {
  const { policy, version, people, lines } = rowsOf(registration)
  const { id, status } = policy
  const { caller, ...where } = input
  const { scope } = caller.unit
  const { by } = registration
  const what = status === 'budgeted' ? 'saved' : 'registered'
  const details = { version: registration.version }
  const payment = { business_unit_id: scope.businessUnitId, ...paymentOf(world, registration, keys?.[0] ?? null) }
  const { created_at, ...columns } = policy
  const movement = {
    policyId: id,
    expects: {
      keys: keys ?? [],
      terms: termsOf(catalogue, policy.product_id, registration.gateway.id),
      ...(replaced ? { status: replaced.status } : {}),
    },
    policy: replaced ? columns : policy,
    version,
    people: people.map(person => personInStatement(world.secrets, scope, person)),
    lines,
    opens: payment,
    event: eventRow(world, { policyId: id, at: registration.now, by, what, details }),
    audit: auditRow(world, by.userId === null ? where : input, { action: `policy.${what}`, outcome: 'done', object: id, details }),
    ...(status === replaced?.status ? {} : { counts: countsMoved(id, replaced?.status, status) }),
  }
  return {
    movement,
    payment,
    policy: { ...policy, ...unsold, business_unit_id: scope.businessUnitId, created_at: replaced?.created_at ?? created_at },
  }
}

function termsOf({ version, unitVersion, offers }: UnitCatalogue, product: string, gateway: string) {
  const offer = offers.find(each => each.productId === product)
  if (!offer) throw new Error('a registration without an offer')
  const price = { commission: offer.commissionPercent, product: offer.version, catalogue: version }
  return { unit: unitVersion, product, gateway, price }
}

function paymentOf(
  { ids }: World,
  { policyId, version, priced, now, userId, gateway, needsCard }: CheckedRegistration,
  requestKey: string | null,
): Omit<PaymentRow, 'business_unit_id'> {
  const id = ids.next()
  return {
    id,
    policy_id: policyId,
    policy_version: version,
    gateway: gateway.name,
    gateway_id: gateway.id,
    user_id: userId,
    amount_cents: priced.price.total,
    currency: priced.currency,
    state: 'open',
    // The key names purchase and attempt. Each registration is one attempt, so its id covers both.
    idempotency_key: `purchase-${id}`,
    request_key: requestKey,
    created_at: now,
    check_at: needsCard ? firstCheck(now) : null,
    ...unpaid,
  }
}

/** The reconciler's first check, in case everything stops here. */
const firstCheck = (now: Date): Date => new Date(now.getTime() + 120_000)

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
