import { addDays, addMonths, daysBetween } from '#common/kit/dates.ts'
import type { CatalogueProduct } from '#common/products/catalogue.ts'
import type { Tariff } from '#common/products/tariff.ts'

type Row = readonly [from: number, to: number, figure: number]
type PathProblem = [path: string, problem: string]
type Settings = CatalogueProduct['settings']

/** Checks that rows [from, to, …] cover the allowed range without gap or overlap. */
export function checkRows(rows: readonly Row[], least: number, most: number): string[] {
  const problems: string[] = []
  const first = rows[0]
  const last = rows.at(-1)
  if (!first || !last) return [`has no row; expected rows from ${least} to ${most}`]
  if (first[0] > least) problems.push(`begins at ${first[0]}; the settings allow ${least}`)
  if (last[1] < most) problems.push(`ends at ${last[1]}; the settings allow ${most}`)
  rows.forEach(([from, to], index) => {
    if (from > to) problems.push(`row ${index}: ${from} is after ${to}`)
    const before = rows[index - 1]
    if (!before) return
    if (from <= before[1]) problems.push(`rows ${index - 1} and ${index} overlap at ${from}`)
    if (from > before[1] + 1) problems.push(`rows ${index - 1} and ${index} leave out ${spanOf(before[1] + 1, from - 1)}`)
  })
  return problems
}

const spanOf = (from: number, to: number): string => (from === to ? String(from) : `${from} to ${to}`)

/** Checks that steps [up to, …] rise. The last step applies beyond its end, too (docs/rating.md, step 5). */
export const checkSteps = (steps: readonly (readonly [number, number])[]): string[] =>
  steps.flatMap(([upTo], index) => {
    const before = steps[index - 1]?.[0]
    return before !== undefined && upTo <= before ? [`row ${index}: ${upTo} does not rise above ${before}`] : []
  })

/** Checks that every allowed length of trip has a price. */
export function checkTariffDays(base: Tariff['base'], settings: Settings): PathProblem[] {
  switch (base.kind) {
    case 'bands':
      return checkBands(base, settings)
    case 'perDay':
      return checkRows(base.discount, settings.minTravelLength, settings.maxTravelLength).map(problem => ['discount', problem])
    case 'perMonth': {
      const months = (days: number) => Math.ceil(days / base.monthDays)
      const [least, most] = [months(settings.minTravelLength), months(settings.maxTravelLength)]
      return checkRows(base.discount, least, most).map(problem => ['discount', `${problem} (months of ${base.monthDays} days)`])
    }
    case 'term':
      return checkTerm(base.months, settings)
    case 'none':
      return []
  }
}

function checkBands({ upToDays, net }: Extract<Tariff['base'], { kind: 'bands' }>, { maxTravelLength }: Settings): PathProblem[] {
  const last = upToDays.at(-1) ?? 0
  return [
    ...upToDays.flatMap((days, index): PathProblem[] => {
      const before = upToDays[index - 1] ?? 0
      return days > before ? [] : [[`upToDays[${index}]`, `${days} does not rise above ${before}`]]
    }),
    ...(last < maxTravelLength
      ? [['upToDays', `ends at ${last} days; the settings allow maxTravelLength ${maxTravelLength}`] satisfies PathProblem]
      : []),
    ...Object.entries(net).flatMap(([zone, prices]): PathProblem[] =>
      prices.length === upToDays.length
        ? []
        : [[`net.${zone}`, `has ${prices.length} prices; expected ${upToDays.length}, as upToDays has`]],
    ),
  ]
}

/** A term ends on the day before its anniversary, so its number of days depends on the start. */
function checkTerm(months: number, { minTravelLength, maxTravelLength }: Settings): PathProblem[] {
  const starts = Array.from({ length: 48 }, (_, index) => addMonths('2027-01-01', index))
  const lengths = starts.map(start => daysBetween(start, addDays(addMonths(start, months), -1)) + 1)
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)]
  return minTravelLength <= least && maxTravelLength >= most
    ? []
    : [['months', `make ${spanOf(least, most)} days; the settings allow ${minTravelLength} to ${maxTravelLength}`]]
}
