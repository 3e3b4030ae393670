import { toCents } from '#common/kit/money.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { after, before, lineAbove, lineStart, matchesIn, type Pasted, type Span } from './text.ts'

/** An amount in the currency's major unit, as in the form. */
export type AmountAt = { value: number; at: Span }

type Amount = AmountAt & { hasCurrency: boolean; hasCents: boolean }

/** Returns the price of the whole trip: the amount named as its total. Among several totals it must be the sum of the others. */
export function findTotal(pasted: Pasted, currency: string): AmountAt | undefined {
  const amounts = amountsIn(pasted, currency)
  const ranked = amounts.map(amount => ({ amount, rank: rankOf(pasted, amount, amounts) })).filter(({ rank }) => rank > 0)
  const best = Math.max(0, ...ranked.map(({ rank }) => rank))
  const totals = ranked.filter(({ rank }) => rank === best).map(({ amount }) => amount)
  const values = [...new Set(totals.map(({ value }) => value))].toSorted((a, b) => b - a)
  const [most, ...others] = values
  if (most === undefined || most <= 0) return undefined
  const isSum = toCents(others.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100) === toCents(most)
  // An amount named as a price, not a total, must be the only one.
  if (others.length > 0 && !isSum) return undefined
  if (best === 1 && new Set(amounts.filter(({ hasCurrency }) => hasCurrency).map(({ value }) => value)).size > 1) return undefined
  const largest = totals.find(({ value }) => value === most)
  return largest && { value: largest.value, at: largest.at }
}

const signs: Record<string, string> = { EUR: '€|eur(?:os?)?', GBP: '£|gbp', USD: '\\$|usd', CHF: 'chf' }
const figure = "\\d{1,3}(?:[ .,']\\d{3}){1,3}(?:[.,]\\d{2})?|\\d{1,7}(?:[.,]\\d{2})?"

function amountsIn({ plain, language }: Pasted, currency: string): Amount[] {
  const sign = signs[currency] ?? currency.toLowerCase().replaceAll(/[^a-z]/g, '')
  const pattern = new RegExp(
    `(?:(?<![a-z])(${sign}) ?|(?<![\\w.,/:€$£-]))(${figure})(?![\\d/:%]|[.,]\\d)(?: ?(${sign})(?![a-z]))?( ?(?:[$£¥%]|usd|gbp|chf|eur|[a-z]))?`,
    'g',
  )
  return matchesIn(plain, pattern).flatMap(match => {
    const [all, first, digits = '', last, next] = match
    const value = amountOf(digits, language)
    const hasCurrency = Boolean(first || last)
    if (
      value === undefined ||
      (!hasCurrency && next && /[$£¥%]|usd|gbp|chf/.test(next)) ||
      otherCurrency.test(plain.slice(Math.max(0, match.index - 5), match.index))
    )
      return []
    return [{ value, at: [match.index, match.index + all.length - (next?.length ?? 0)], hasCurrency, hasCents: /[.,]\d{2}$/.test(digits) }]
  })
}

/** A currency sign before an amount that is not the unit's. */
const otherCurrency = /(?:[$£¥]|(?<![a-z])(?:usd|gbp|chf|eur|brl|cad|aud|mxn|clp|ars|cop|pen|jpy)) ?$/

/** Reads 1.234,56 and 1,234.56 and 1 234,56. 1.234 is over a thousand in a language that groups by points; English groups by commas. */
function amountOf(digits: string, language: string): number | undefined {
  const [, whole = '', cents] = /^(.*?)(?:[.,](\d{2}))?$/.exec(digits) ?? []
  const groups = new Set(whole.match(/[ .,']/g))
  if (groups.size > 1) return undefined
  const [group] = groups
  const decimal = cents === undefined ? undefined : digits.at(-3)
  if (group !== undefined && group === decimal) return undefined
  if (decimal === undefined && (group === '.' || group === ',') && (group === ',') !== (language === 'en')) return undefined
  const value = Number(`${whole.replaceAll(/[ .,']/g, '')}.${cents ?? '0'}`)
  return toCents(value) === undefined ? undefined : value
}

const apiece = new RegExp(`(?:${wholeWord('per')}|/) ?${anyOf('unit')}(?!\\w)|${wholeWord('each')}`)
const partial = new RegExp(wholeWord('partial'))
const total = new RegExp(wholeWord('total'))
const bareTotal = new RegExp(wholeWord('bareTotal'))
const price = new RegExp(wholeWord('price'))
const totalBehind = new RegExp(`^[ ,(]{0,2}(?:${anyOf('amountIn')} )?${anyOf('bareTotal')}(?!\\w)`)

/** Rates how clearly an amount is the trip's price. 3: by its full name; 2: as a total; 1: as a price; 0: not at all. */
function rankOf(pasted: Pasted, { at, hasCurrency, hasCents }: Amount, all: readonly Amount[]): number {
  if (!(hasCurrency || hasCents)) return 0
  const next = all.find(other => other.at[0] >= at[1])
  const behind = after(pasted, at[1], Math.min(next?.at[0] ?? Number.POSITIVE_INFINITY, at[1] + 40))
  const previous = all.findLast(other => other.at[1] <= at[0] && other.hasCurrency)
  const since = previous && previous.at[1] > lineStart(pasted.plain, at[0]) ? previous.at[1] : 0
  const words = labelOf(pasted, at, since)
  if (apiece.test(words) || apiece.test(behind)) return 0
  if (total.test(words)) return 3
  if (partial.test(words)) return 0
  if (bareTotal.test(words)) return 2
  if (hasCurrency && totalBehind.test(behind)) return 2
  return hasCurrency && price.test(words) ? 1 : 0
}

function labelOf(pasted: Pasted, at: Span, since: number): string {
  const words = before(pasted, at[0], since)
  const start = lineStart(pasted.plain, at[0])
  if (since > start || /[a-z]{3}/.test(words.replace(/\b(?:eur|euros?)\b/, ''))) return words
  const line = lineAbove(pasted.plain, at[0])
  return line && line[1] - line[0] < 60 && !/\d/.test(pasted.plain.slice(...line)) ? `${pasted.plain.slice(...line)} ` : words
}
