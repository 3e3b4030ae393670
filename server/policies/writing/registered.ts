import type * as calls from '#common/policies/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import { inStatement } from '#server/kit/sql/in-statement.ts'
import type { RequestKeys } from '#server/kit/http/request-keys.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { HandlerInput } from '#server/kit/serve.ts'
import type { PaymentRow } from '#server/payments/public.ts'
import type { UnitCatalogue } from '#server/quotes/public.ts'
import { auditRow } from '#server/session/public.ts'
import { eventRow, type NewPerson, partOf, type PolicyRow } from '../queries.ts'
import { sealedPerson } from '../sealed/columns.ts'
import { type CheckedRegistration, rowsOf, unsold } from '../sale/registration.ts'
import { type NewPayment, type PricedBy, type SaleToRegister, unpaid } from './queries.ts'

type Around = { catalogue: UnitCatalogue; keys: RequestKeys | null; replaced: PolicyRow | undefined }

/** Returns everything that a registration writes. */
export function saleToRegister(
  world: World,
  input: HandlerInput<typeof calls.registerPolicy>,
  registration: CheckedRegistration,
  { catalogue, keys, replaced }: Around,
): SaleToRegister {
  const { people, ...rows } = rowsOf(registration)
  const { policy } = rows
  const { caller } = input
  const what = policy.status === 'budgeted' ? 'saved' : 'registered'
  const details = { version: registration.version }
  return {
    ...rows,
    kept: null,
    people: people.map(person => storable(world, caller.unit.scope, person)),
    event: eventRow(world, { at: registration.now, by: caller, what, details }),
    audit: auditRow(world, input, { action: `policy.${what}`, outcome: 'done', object: policy.id, details }),
    payment: paymentOf(world, registration, keys?.[0] ?? null),
    keys: keys ?? [],
    terms: pricedBy(catalogue, policy.product_id),
    replaced: replaced ? { status: replaced.status } : null,
    part: partOf(policy.id),
  }
}

/** Returns a person with the document number encrypted, for a statement. */
function storable({ secrets }: World, { businessUnitId }: Scope, person: NewPerson) {
  const { sealed, document_hash, ...columns } = sealedPerson(secrets, businessUnitId, person)
  return { ...columns, sealed: bytesOf(sealed), document_hash: bytesOf(document_hash) }
}

const bytesOf = (bytes: Buffer | null): string | null => bytes && inStatement(bytes)

function pricedBy({ version, unitVersion, offers }: UnitCatalogue, productId: string): PricedBy {
  const offer = offers.find(each => each.productId === productId)
  if (!offer) throw new Error('a registration without an offer')
  return { unit: unitVersion, commission: offer.commissionPercent, product: offer.version, catalogue: version }
}

function paymentOf(
  { ids }: World,
  { policyId, version, priced, now, userId, gateway, needsCard }: CheckedRegistration,
  requestKey: string | null,
): NewPayment {
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
  }
}

/** The reconciler's first check, in case everything stops here. */
const firstCheck = (now: Date): Date => new Date(now.getTime() + 120_000)

/** Returns the rows that a registration has written, as they are stored. */
export function registeredAs(
  { businessUnitId: business_unit_id }: Scope,
  { policy, payment }: SaleToRegister,
): { policy: PolicyRow; payment: PaymentRow } {
  return {
    policy: { business_unit_id, ...policy, ...unsold },
    payment: { business_unit_id, ...payment, ...unpaid },
  }
}
