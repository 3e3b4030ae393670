import type { PeopleSettings } from '#common/policies/people.ts'
import { premiumIn, type Price, totalIn } from '#common/quotes/price-lines.ts'
import { type After, type Asked, type Change, formProblems, readChange, type What } from './asked/asked.ts'
import { problemsOf, windowOf } from './asked/judge.ts'
import { isPriced, namesCloseAt, refusedByPhase } from './asked/phases.ts'
import { ageAt, chargedParts, ratedTrip, type Tariffed, tariffedAs } from './asked/price.ts'
import { endingsIn } from './ending/candidates.ts'
import type { StepDocumentKind } from '#common/documents/kinds.ts'
import { chargedFor, type Difference, differenceOf, type Route, routesBack, routesOfCharge } from './money.ts'
import { documentsBetween } from './differences.ts'
import { refused, type Refused, refusedBy } from './refusals.ts'
import {
  dayOfSale,
  endOf,
  type Now,
  payableUntil,
  type Phase,
  phaseAt,
  type Policy,
  startOf,
  travels,
  undoUntil,
  type Version,
} from './state.ts'

/** The next version. A new person gets a uuid when it is written. */
type Next = Omit<Version, 'people'> & { people: readonly After[] }

/** The amount of a lower price that is not refunded, and why: ending the policy now would not refund it either. */
type Kept = { amount: number; reason: 'started' | 'free_look_over' | null }

export type ChangePreview = {
  possible: boolean
  refusals: Refused[]
  before: Price
  /** Null if the change is not possible. */
  after: (Next & { reference: string | null; locale: string | null }) | null
  difference: Difference
  charge: number
  refund: number
  kept: Kept
  /** The way of ending the policy that grants a refund. */
  basis: string | null
  commission: { rate: number; amount: number }
  routes: Route[]
  /** The part of the charge that no gateway takes. Negative: the part of a refund that was waived earlier and so never paid. */
  waived: number
  /** The part of the refund that no payment can take back. */
  withoutWay: number
  effectiveAt: number
  /** The instant at which the additional cancellation cover begins. */
  waitUntil: number | null
  people: { personUuid: string | null; what: What; age: number | null; premium: number }[]
  papers: StepDocumentKind[]
  validUntil: number
  changesLeftUntil: number | null
}

/**
 * Returns what a change costs and does at an instant, or why it is not possible (decision 0045). The service and the browser both use it. Accepts any
 * change.
 */
export function previewChange(policy: Policy, { version, change }: { version: number; change: Change }, now: Now): ChangePreview {
  const phase = phaseAt(policy, now.at)
  const { asked, problems } = readChange(policy, change)
  const nothing = unchanged(policy, phase, now)
  if (problems) return { ...nothing, refusals: problems.map(refusedBy) }
  const refusals = refusalsOf(policy, asked, { version, phase, now })
  if (refusals.length > 0) return { ...nothing, refusals }
  const next = nextVersion(policy, asked, phase)
  // The tariff has no price for the unchanged facts, as the policy is of another edition. Nothing can be computed.
  if (!next) return { ...nothing, refusals: [refusedBy({ path: '', rule: 'price', key: 'refusal.validation.failed' })] }
  const { after, people, lower } = next
  const { waitHours } = windowOf(policy, asked, phase.day)
  return {
    ...nothing,
    ...moneyOf(policy, { after: after.charged, lower }, phase, now),
    possible: true,
    after: { ...after, reference: asked.reference, locale: asked.locale },
    waitUntil: waitHours > 0 ? now.at + waitHours * 3_600_000 : null,
    people,
    papers: documentsBetween(policy, after, totalIn(after.charged) - totalIn(policy.charged), asked.touched.locale),
    validUntil: validUntil(policy, asked, phase, now, totalIn(after.charged) < totalIn(policy.charged)),
    changesLeftUntil: changesLeftUntil(policy, after.trip, phase),
  }
}

type Context = { version: number; phase: Phase; now: Now }

function refusalsOf(policy: Policy, asked: Asked, { version, phase, now }: Context): Refused[] {
  if (policy.status === 'cancelled') return [refused('change.cancelled')]
  if (policy.version !== version) return [refused('change.stale')]
  if (policy.pending) return [refused('change.pending')]
  const byPhase = refusedByPhase(policy, asked, phase, now.at)
  return byPhase.length > 0 ? byPhase : problemsOf(policy, asked, phase.day, now).map(refusedBy)
}

function unchanged({ charged, edition, ...policy }: Policy, phase: Phase, { at }: Now): ChangePreview {
  return {
    possible: false,
    refusals: [],
    before: charged,
    after: null,
    difference: differenceOf(charged, charged),
    charge: 0,
    refund: 0,
    kept: { amount: 0, reason: null },
    basis: null,
    commission: { rate: edition.commissionPercent, amount: 0 },
    routes: [],
    waived: 0,
    withoutWay: 0,
    effectiveAt: at,
    waitUntil: null,
    people: [],
    papers: [],
    validUntil: at,
    changesLeftUntil: changesLeftUntil({ ...policy, charged, edition }, policy.trip, phase),
  }
}

type NextVersion = { after: Next; people: ChangePreview['people']; lower: Price | undefined }

/** Rule 4: a higher price is charged. A lower one is refunded if ending the policy now would refund everything; else the difference is kept. */
function nextVersion(policy: Policy, asked: Asked, phase: Phase): NextVersion | undefined {
  const { edition, charged, segments, tariffPremium } = policy
  const { trip, people } = asked
  const tariffed = isPriced(asked.touched) ? tariffedAs(policy, asked, phase) : undefined
  if (!tariffed) {
    if (isPriced(asked.touched)) return undefined
    const rated = ratedTrip(
      edition.basis,
      policy.trip,
      policy.people.filter((_, index) => travels(policy.holder, index)),
      dayOfSale(policy),
    )
    const after = { trip, people, charged, tariffPremium, segments }
    return { after, people: peopleOf(policy, asked, rated?.perTraveller ?? []), lower: undefined }
  }
  const priced = chargedFor(edition, {
    trip,
    premium: tariffed.premium,
    cancellation: tariffed.cancellation,
    personDays: tariffed.personDays,
  })
  const comesBack = totalIn(priced) >= totalIn(charged) || givesEverythingBack(policy, phase)
  return {
    after: { ...versionOf(asked, tariffed, comesBack ? priced : charged), tariffPremium: tariffed.premium },
    people: peopleOf(policy, asked, tariffed.perTraveller),
    lower: comesBack ? undefined : priced,
  }
}

const versionOf = ({ trip, people }: Asked, { segments }: Tariffed, charged: Price): Omit<Next, 'tariffPremium'> => ({
  trip,
  people,
  charged,
  segments: chargedParts(segments, premiumIn(charged)),
})

const givesEverythingBack = (policy: Policy, phase: Phase): boolean => endingsIn(policy, phase)[0]?.refund === totalIn(policy.charged)

/** Returns the end of the last way of ending that refunds everything. */
const fullRefundUntil = (policy: Policy, phase: Phase): number =>
  Math.max(...endingsIn(policy, phase).flatMap(({ refund, until }) => (refund === totalIn(policy.charged) ? [until()] : [])))

/** Rules 3, 4, 11, 12. `lower`: the tariff price whose difference is kept. */
function moneyOf(
  policy: Policy,
  { after, lower }: { after: Price; lower: Price | undefined },
  phase: Phase,
  now: Now,
): Partial<ChangePreview> {
  const { charged, edition } = policy
  const difference = differenceOf(charged, lower ?? after)
  const [charge, due] = [Math.max(0, totalIn(after) - totalIn(charged)), Math.max(0, totalIn(charged) - totalIn(after))]
  const back = routesBack(policy, due)
  const forth = routesOfCharge(policy, charge, now)
  return {
    difference,
    charge,
    refund: due + back.waived,
    kept: lower
      ? { amount: totalIn(charged) - totalIn(lower), reason: phase.started ? 'started' : 'free_look_over' }
      : { amount: 0, reason: null },
    basis: due > 0 ? (endingsIn(policy, phase)[0]?.basis ?? null) : null,
    commission: { rate: edition.commissionPercent, amount: after.commission - charged.commission },
    routes: due > 0 ? back.routes : forth.routes,
    waived: due > 0 ? back.waived : forth.waived,
    withoutWay: back.withoutWay,
  }
}

/** Returns everyone after the change, then those who leave. Each has the age on the first day and the premium by the tariff. */
function peopleOf({ holder }: Policy, { trip, people, found }: Asked, perTraveller: readonly number[]): ChangePreview['people'] {
  const first = holder === 'travels' ? 0 : 1
  const ageOf = (birthDate: unknown) => ageAt(birthDate, trip.startDate) ?? null
  return [
    ...people.map(({ personUuid, birthDate }, index) => ({
      personUuid,
      what: found?.asked[index]?.what ?? ('same' as const),
      age: ageOf(birthDate),
      premium: perTraveller[index - first] ?? 0,
    })),
    ...(found?.leaves ?? []).map(({ personUuid, birthDate }) => ({
      personUuid,
      what: 'leaves' as const,
      age: ageOf(birthDate),
      premium: 0,
    })),
  ]
}

/** A preview is valid for a day, but never past the end of what allows the change or its refund. */
function validUntil(policy: Policy, asked: Asked, phase: Phase, { at }: Now, isRefunded: boolean): number {
  const { trip, touched } = asked
  const ends = [
    payableUntil(policy, trip.startDate, at),
    ...(phase.day < policy.trip.startDate ? [] : [endOf(policy.trip.endDate, policy)]),
    ...(phase.undo && phase.day >= policy.trip.startDate ? [undoUntil(policy)] : []),
    ...(touched.joins || touched.leaves ? [namesCloseAt(policy, asked)] : []),
    ...(isRefunded ? [fullRefundUntil(policy, phase)] : []),
  ]
  return Math.min(...ends.filter(end => end > at))
}

/** Returns the end of what this phase allows: before departure everything, on the trip at least a corrected name. */
function changesLeftUntil(policy: Policy, { startDate, endDate }: Version['trip'], phase: Phase): number | null {
  const { extend, midTerm } = policy.edition.servicing
  if (phase.ended || policy.status === 'cancelled') return null
  if (phase.day < startDate && !extend && !midTerm) return startOf(startDate, policy)
  if (phase.undo && !extend && !midTerm) return undoUntil(policy)
  return endOf(endDate, policy)
}

/** The settings by which a sale's form validates people. The day of departure comes from the change. */
export type FormSettings = Omit<PeopleSettings, 'startDate'>

/**
 * Validates a change by the sale's own rules for people, and then by those of rating. A policy that cannot change, or an unknown person or field,
 * comes first. The browser's price bar and the service call this.
 */
export function judgedChange(
  policy: Policy,
  asked: Parameters<typeof previewChange>[1],
  { now, form }: { now: Now; form: FormSettings },
): ChangePreview {
  const preview = previewChange(policy, asked, now)
  const wrong = preview.refusals.some(({ code, rule }) => code.startsWith('change.') || rule === 'unknown')
    ? []
    : formProblems(policy, asked.change, form)
  return wrong.length === 0 ? preview : { ...previewChange(policy, { ...asked, change: {} }, now), refusals: wrong }
}
