import type * as calls from '#common/policies/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { RequestKeys } from '#server/kit/http/request-keys.ts'
import type { HandlerInput } from '#server/kit/serve.ts'
import type { PaymentRow } from '#server/payments/public.ts'
import type { UnitCatalogue } from '#server/quotes/public.ts'
import { auditRow } from '#server/session/public.ts'
import { countsMoved, eventRow, type PolicyRow } from '../queries.ts'
import { personInStatement } from '../sealed/columns.ts'
import { type CheckedRegistration, rowsOf, unsold } from '../sale/registration.ts'
import { type Movement, type NewContents, unpaid } from './queries.ts'

type Around = { catalogue: UnitCatalogue; keys: RequestKeys | null; replaced: PolicyRow | undefined }

/** A registration to write, with its policy and payment as they will be stored. */
export type Registering = { movement: Movement & NewContents; policy: PolicyRow; payment: PaymentRow }

/** Returns everything that a registration writes. */
export function registering(
  world: World,
  input: HandlerInput<typeof calls.registerPolicy>,
  registration: CheckedRegistration,
  { catalogue, keys, replaced }: Around,
): Registering {
  const { policy, version, people, lines } = rowsOf(registration)
  const { id, status } = policy
  const { caller } = input
  const { scope } = caller.unit
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
    event: eventRow(world, { policyId: id, at: registration.now, by: caller, what, details }),
    audit: auditRow(world, input, { action: `policy.${what}`, outcome: 'done', object: id, details }),
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
