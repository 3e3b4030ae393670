import { premiumIn, totalIn } from '#common/quotes/price-lines.ts'
import { expect, test } from 'vitest'
import type { Code } from '#common/quotes/rating/testing.ts'
import allCases from './cases.json' with { type: 'json' }
import { previewChange } from './change.ts'
import { previewEnding } from './ending/cancel.ts'
import { previewReinstatement } from './ending/reinstate.ts'
import { refusals } from '#common/kit/refusals.ts'
import { previewRenewal } from './renew.ts'
import type { Policy } from './state.ts'
import { after, now, sold } from './testing.ts'

/** Worked examples of the rules. Amounts are in cents, instants in UTC. `version` counts from the sale. */

const statuses: Record<string, number> = refusals

type Traveller = { ref: string; name?: string; birth?: string; doc?: string | null }
type Asked = {
  travellers?: Traveller[]
  destinations?: number[]
  origin?: number
  amount?: number
  contact?: object
  [field: string]: unknown
}
type Stands = { status: string; version: number; premium: number; taxes: Record<string, number>; total: number; commission: number }
type Expected = { allowed: boolean; status?: number; code?: string; after?: Stands; offer?: object; [field: string]: unknown }
type Step = {
  do: string
  at: string
  change?: Asked
  expectedVersion?: number
  acceptNoRefund?: boolean
  twin?: boolean
  pending?: boolean
  refundDone?: boolean
  expect: Expected
}
type Case = {
  id: string
  title: string
  policy: {
    unit: string
    product: string
    soldAt: string
    gateway?: string
    channel?: 'counter' | 'distance'
    askedToBegin?: boolean
    trip: {
      origin: number
      destinations: number[]
      startDate: string
      endDate: string
      amount?: number
      reservationDate?: string
      travellers: Traveller[]
    }
  }
  sold: Stands
  steps: Step[]
}

// Safe: the file has this shape.
const cases = allCases as unknown as Case[]

const userOf = ({ ref, name, birth, doc }: Traveller) => ({ personUuid: ref, name, birthDate: birth, docNumber: doc ?? null })

function soldAs({ policy: { trip, unit, product, soldAt, gateway, channel = 'counter', askedToBegin = false } }: Case): Policy {
  const { travellers, ...rest } = trip
  // Safe: the file's products are those of the demo.
  const sale = { product: product as Code, soldAt, trip: rest, people: travellers.map(userOf), unit, ...(gateway ? { gateway } : {}) }
  return { ...sold(sale), channel, askedToBegin }
}

/** The fields of the calls. A new person has no uuid. */
function changeOf({ people }: Policy, { travellers, destinations, origin, amount, contact, ...rest }: Asked) {
  const known = new Set(people.map(({ personUuid }) => personUuid))
  const users = travellers?.map(traveller => {
    const { personUuid, ...user } = userOf(traveller)
    return known.has(personUuid) ? { personUuid, ...user } : user
  })
  const renamed = contact && people.map(({ personUuid }, index) => ({ personUuid, ...(index === 0 ? contact : {}) }))
  return {
    ...rest,
    ...(users ? { users } : renamed ? { users: renamed } : {}),
    ...(destinations ? { countriesDestinationId: destinations.join(',') } : {}),
    ...(origin ? { countryOriginId: origin } : {}),
    ...(amount ? { insurancedAmount: amount } : {}),
  }
}

const stands = ({ charged, status, version }: Policy): Stands => ({
  status,
  version,
  premium: premiumIn(charged),
  taxes: Object.fromEntries(charged.taxes.map(({ code, amount }) => [code, amount])),
  total: totalIn(charged),
  commission: charged.commission,
})

type Preview = Parameters<typeof after>[1]

/** Converts a preview to the file's format. */
function said(policy: Policy, preview: Preview): Expected {
  const [first] = preview.refusals
  if (first) {
    return { allowed: false, status: statuses[first.code] ?? 422, code: first.code, ...first.params }
  }
  const next = preview.charge > 0 ? policy.payments.length + 1 : 0
  return {
    allowed: true,
    difference: preview.difference.total,
    charge: preview.charge,
    refund: preview.refund,
    kept: 'kept' in preview ? preview.kept.amount : 0,
    commission: preview.commission.amount,
    ...('basis' in preview && preview.basis ? { basis: preview.basis } : {}),
    ...('kind' in preview ? { kind: preview.kind, coverEnds: preview.coverEnds } : {}),
    ...('stopped' in preview ? { stopped: preview.stopped } : {}),
    routes: preview.routes.map(({ paymentUuid, gateway, amount }) => ({
      payment: Number(paymentUuid ?? next),
      way: gateway === 'Deferred' ? 'account' : 'card',
      amount,
    })),
    after: stands(after(policy, preview)),
  }
}

function previewOf(policy: Policy, { do: movement, at, change = {}, expectedVersion, acceptNoRefund }: Step): Preview {
  const version = expectedVersion ?? policy.version
  const { excludedCountries } = policy.edition.basis.zones
  const when = now(at, { excludedCountries })
  if (movement === 'amend') return previewChange(policy, { version, change: changeOf(policy, change) }, when)
  if (movement === 'reinstate') return previewReinstatement(policy, { version }, when)
  return previewEnding(policy, { as: movement === 'withdraw' ? 'withdrawal' : 'cancellation', version, acceptNoRefund }, when)
}

/** Plays a step. A refused step changes nothing. */
function play(policy: Policy, step: Step): { policy: Policy; says: Expected } {
  if (step.do === 'claim') return { policy: { ...policy, claimed: true }, says: { allowed: true, after: stands(policy) } }
  const flagged = { ...policy, twin: step.twin === true, pending: step.pending === true }
  if (step.do === 'renew') return { policy, says: offered(flagged, step.at) }
  const stopped = policy.ended && step.refundDone === false ? { ...policy.ended, unsent: policy.ended.refund } : policy.ended
  const standing = { ...flagged, ended: stopped }
  const preview = previewOf(standing, step)
  const says = said(standing, preview)
  if (!preview.after) return { policy, says }
  const next = { ...after(standing, preview), twin: false }
  if (!('kind' in preview)) return { policy: next, says }
  const { trip, people, charged, tariffPremium, segments } = policy
  const former = { trip, people, charged, tariffPremium, segments }
  return { policy: { ...next, ended: { kind: preview.kind, at: Date.parse(step.at), former, refund: preview.refund, unsent: 0 } }, says }
}

function offered(policy: Policy, at: string): Expected {
  const { refusals, offer } = previewRenewal(policy, policy.edition, now(at))
  const [first] = refusals
  if (first || !offer) {
    return { allowed: false, status: statuses[first?.code ?? ''] ?? 422, code: first?.code ?? '' }
  }
  const { charged, ...days } = offer
  const { status: _, version: __, ...figures } = stands({ ...policy, charged })
  return { allowed: true, offer: { ...days, ...figures } }
}

test.each(cases.map(each => [each.id, each.title, each] as const))('%s: %s', (_id, _title, example) => {
  let policy = soldAs(example)
  expect(stands(policy)).toEqual(example.sold)
  for (const step of example.steps) {
    const played = play(policy, step)
    // The file leaves out the parameters of a refusal's message.
    const { params: _, ...says } = played.says
    expect(step.expect.allowed ? says : pick(says, Object.keys(step.expect)), `${step.do} at ${step.at}`).toEqual(step.expect)
    policy = played.policy
  }
})

const pick = (from: Expected, names: string[]): object => Object.fromEntries(names.map(name => [name, from[name]]))
