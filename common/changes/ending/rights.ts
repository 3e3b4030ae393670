import { addDays, addMonths, today } from '#common/kit/dates.ts'
import type { Right } from '#common/products/tariff.ts'
import { dayOfSale, firstCoveredDay } from '../phase.ts'
import type { Policy, SoldPolicy } from '../state.ts'

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
