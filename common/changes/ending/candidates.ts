import type { Right } from '#common/products/tariff.ts'
import { type Price, totalIn } from '#common/quotes/price-lines.ts'
import { addDays, addMonths, daysBetween, today } from '#common/kit/dates.ts'
import { roundedRatio } from '#common/kit/money.ts'
import { travelDays } from '#common/quotes/rating/stay.ts'
import { commissionOf, taxesOf } from '#common/quotes/rating/taxes.ts'
import { cancellationLeft, nothingOf, taxesKept } from '../money.ts'
import {
  dayOfSale,
  endOf,
  firstCoveredDay,
  type Phase,
  phaseOn,
  type Policy,
  type Segment,
  type SoldPolicy,
  startOf,
  undoUntil,
} from '../state.ts'

/** A way to end a policy (rule 6): the amount that stays charged, and the instant from which the way no longer applies. */
export type Ending = {
  basis: string
  isRight: boolean
  left: Price
  segments: Segment[]
  refund: number
  until: () => number
}

/** The basis of a refund that the administration grants beyond the rules (decision 54). */
export const goodwillBasis = 'goodwill'

/**
 * Returns all ways to end the policy in a phase, best first; equal ones in the order of the rules (rule 6). None after a claim. `goodwill`: the
 * percentage of the premium that the administration refunds, whatever the rules give.
 */
export function endingsIn(policy: Policy, phase: Phase, goodwill?: number): Ending[] {
  if (policy.claimed) return []
  const ways = [...byRight(policy, phase), ...byTerms(policy, phase)]
  if (goodwill !== undefined) ways.push(byGoodwill(policy, goodwill))
  return ways.toSorted((a, b) => b.refund - a.refund)
}

function byGoodwill(policy: Policy, percent: number): Ending {
  const { endDate } = policy.trip
  const segments = policy.segments.map(({ premium, ...of }) => ({ ...of, premium: premium - roundedRatio([premium, percent], [100]) }))
  const back = percent === 100 ? nothing(policy) : { ...leftIn(policy, segments, endDate), segments }
  return { basis: goodwillBasis, isRight: false, ...back, until: () => endOf(endDate, policy) }
}

function byRight(policy: Policy, { day }: Phase): Ending[] {
  return rightsOn(policy, day).flatMap(({ right, until, reason }) => {
    if (reason) return []
    const last = until < policy.trip.endDate ? until : policy.trip.endDate
    const isShared = right.begun === 'share' && day >= firstCoveredDay(policy) && hasAskedToBegin(policy)
    const kept = isShared ? lessUnused(policy, day, { percent: 100, from: firstCoveredDay(policy) }) : nothing(policy)
    return [{ basis: right.id, isRight: true, ...kept, until: () => endOf(last, policy) }]
  })
}

/** A sale at the counter counts as such a request (rule 7). */
const hasAskedToBegin = ({ channel, askedToBegin }: Policy): boolean => channel === 'counter' || askedToBegin

function byTerms(policy: Policy, { day, undo, started, ended }: Phase): Ending[] {
  const { trip, twin, edition } = policy
  const { servicing, afterSale } = edition
  const full = (basis: string, until: () => number): Ending => ({ basis, isRight: false, ...nothing(policy), until })
  const departure = () => startOf(trip.startDate, policy)
  const found: Ending[] = []
  if (undo) found.push(full('undo', () => undoUntil(policy)))
  // The first hour applies to a trip that has begun only in its own way: the other ways require the day before.
  if (day < trip.startDate) {
    const lastFreeDay = addDays(dayOfSale(policy), afterSale.constants.freeLookDays)
    if (servicing.before === 'full') found.push(full('before_departure', departure))
    else if (day <= lastFreeDay) found.push(full('free_look', () => Math.min(departure(), endOf(lastFreeDay, policy))))
    if (twin) found.push(full('duplicate', departure))
  } else if (started && !ended && servicing.during !== 'none' && day < trip.endDate) {
    const unused = lessUnused(policy, day, { percent: servicing.during })
    found.push({ basis: 'unused_days', isRight: false, ...unused, until: () => startOf(trip.endDate, policy) })
  }
  return found
}

type Left = Pick<Ending, 'left' | 'segments' | 'refund'>

const nothing = ({ charged, segments }: Policy): Left => ({
  left: nothingOf(charged),
  segments: segments.map(segment => ({ ...segment, premium: 0 })),
  refund: totalIn(charged),
})

/**
 * Rule 7: refunds of each part of the premium the share of the days to come; the current day counts as used. `from`: the first day of any cover, from
 * which a right counts.
 */
function lessUnused(policy: Policy, day: string, { percent, from }: { percent: number; from?: string }): Left {
  const segments = policy.segments.map((segment, index) => {
    const days = daysBetween(index === 0 && from ? from : segment.from, segment.to) + 1
    const unused = Math.min(days, Math.max(0, daysBetween(day, segment.to)))
    return { ...segment, premium: segment.premium - (days > 0 ? roundedRatio([segment.premium, unused, percent], [days, 100]) : 0) }
  })
  return { ...leftIn(policy, segments, day), segments }
}

/** Returns what stays charged of the parts of a premium, with the days of all travellers until a day. */
function leftIn(policy: Policy, segments: readonly Segment[], day: string): Pick<Left, 'left' | 'refund'> {
  const { charged, edition } = policy
  const premium = segments.reduce((sum, segment) => sum + segment.premium, 0)
  const cancellation = cancellationLeft(premium, charged)
  const left = {
    travelPremium: premium - cancellation,
    cancellationPremium: cancellation,
    taxes: taxesLeft(policy, premium, personDaysUntil(policy, day)),
    commission: commissionOf(premium, edition.commissionPercent),
  }
  return { left, refund: Math.max(0, totalIn(charged) - totalIn(left)) }
}

/** Rule 7: the tax of a refundable line is computed on the rest of the premium; the tax of any other line stays whole. */
function taxesLeft({ charged, trip, edition }: Policy, premium: number, personDays: number): Price['taxes'] {
  const stay = { startDate: trip.startDate, days: travelDays(trip), origin: trip.origin }
  const keeps = taxesKept(edition, trip)
  const rest = new Map(taxesOf(edition.basis, { ...stay, premium, personDays }).map(({ code, amount }) => [code, amount]))
  return charged.taxes.map(tax => ({
    ...tax,
    amount: keeps.has(tax.code) ? tax.amount : Math.min(tax.amount, rest.get(tax.code) ?? tax.amount),
  }))
}

/** Returns the days of all travellers until a day, for taxes that are not based on the premium. */
function personDaysUntil({ segments, people, holder }: Policy, day: string): number {
  const travellers = people.length - (holder === 'travels' ? 0 : 1)
  const joined = segments.reduce((sum, segment) => sum + segment.joined, 0)
  return segments.reduce((sum, segment, index) => {
    const last = day < segment.to ? day : segment.to
    const number = index === 0 ? travellers - joined : segment.joined
    return sum + number * Math.max(0, daysBetween(segment.from, last) + 1)
  }, 0)
}

/** Returns the best refund on a day after the first hour. It never rises from one day to the next. */
export const bestOn = (policy: Policy, day: string): number =>
  day > policy.trip.endDate ? 0 : (endingsIn(policy, phaseOn(policy, day))[0]?.refund ?? 0)

/** The reasons for which there is no right of withdrawal, the furthest from a right first (rule 8). */
const reasons = ['short', 'counter', 'company', 'late', 'performed'] as const
export type Reason = (typeof reasons)[number]

/** A right that applies on a day, or its first unmet condition. */
type Judged = { right: Right; until: string; reason?: Reason | undefined }

/** Checks the rights of the policyholder's residence on a day, in the order of the data (rule 8). */
export function rightsOn(policy: Policy, day: string): Judged[] {
  const country = residenceOf(policy)
  return rightsFor(policy, country).map(right => {
    const until = lastDay(policy, right, country)
    return { right, until, reason: reasons.find(reason => fails[reason](policy, right, { day, until })) }
  })
}

/** False if no right applies on any day, for example because the trip is too short. */
export const mayHaveRight = (policy: SoldPolicy): boolean =>
  rightsFor(policy, residenceOf(policy)).some(right => !Object.values(lasting).some(excludes => excludes(policy, right)))

const rightsFor = ({ edition }: SoldPolicy, country: number): Right[] =>
  edition.afterSale.rights.filter(right => (right.for?.includes(country) ?? true) && !right.except?.includes(country))

/** Returns the reason that is nearest to a right. */
export const nearestReason = (judged: readonly Judged[]): Reason =>
  reasons.findLast(reason => judged.some(each => each.reason === reason)) ?? 'short'

/** The reasons that apply on every day. */
const lasting = {
  short: (policy, { months }) => policy.trip.endDate < addDays(addMonths(firstCoveredDay(policy), months), -1),
  counter: ({ channel: sold }, { channel }) => channel === 'distance' && sold !== 'distance',
  company: ({ holder }) => holder === 'company',
} satisfies Partial<Record<Reason, (policy: SoldPolicy, right: Right) => boolean>>

const fails: Record<Reason, (policy: SoldPolicy, right: Right, days: { day: string; until: string }) => boolean> = {
  ...lasting,
  late: (_policy, _right, { day, until }) => day > until,
  performed: ({ trip }, _right, { day }) => day > trip.endDate,
}

/** The country whose rights of withdrawal apply. Its taxes are another question (docs/rating.md, step 7). */
function residenceOf({ people, trip, edition: { basis } }: SoldPolicy): number {
  const country = people[0]?.residenceCountryId ?? trip.origin
  return basis.taxes[String(country)] ? country : basis.country
}

/** The period counts from the sale, or, up to a limit, from the day on which the client received the terms. */
function lastDay(policy: Policy, { days, weekend }: Right, country: number): string {
  const { termsGivenAt, timeZone, edition } = policy
  const sale = dayOfSale(policy)
  const given = termsGivenAt === undefined ? sale : today(termsGivenAt, timeZone)
  const from = given > sale ? given : sale
  const holidays = edition.afterSale.holidays[String(country)] ?? []
  const until = weekend === 'moves' ? workingDay(addDays(from, days), holidays) : addDays(from, days)
  const latest = addDays(addMonths(sale, 12), latestDays)
  return from > sale && until > latest ? latest : until
}

/** Late or missing terms extend the period, up to twelve months and this many days after the sale. */
const latestDays = 14

function workingDay(day: string, holidays: readonly string[]): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  const isFree = weekday === 0 || weekday === 6 || holidays.includes(day)
  return isFree && day < '9999-12-01' ? workingDay(addDays(day, 1), holidays) : day
}
