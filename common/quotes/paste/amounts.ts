import { toCents } from '#common/kit/money.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { cuesOf, matchesIn, type Pasted, type Span } from './text.ts'

/** An amount in the currency's major unit, as in the form. */
type AmountAt = { value: number; at: Span }
type Amount = AmountAt & { hasCurrency: boolean; hasCents: boolean }

/** Returns the price of the whole trip: the amount named as its total. Among several totals it must be the sum of the others. */
export function findTotal(pasted: Pasted, currency: string): AmountAt | undefined {
  const amounts = amountsIn(pasted, currency)
  const ranked = amounts.map(amount => ({ ...amount, rank: rankOf(pasted, amount, amounts) }))
  const best = Math.max(0, ...ranked.map(({ rank }) => rank))
  const totals = best > 0 ? ranked.filter(({ rank }) => rank === best) : []
  const [most = 0, ...others] = distinct(totals).toSorted((a, b) => b - a)
  const isSum = toCents(others.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100) === toCents(most)
  // An amount named as a price, not a total, must be the only one.
  const isOnly = best > 1 || distinct(amounts.filter(({ hasCurrency }) => hasCurrency)).length < 2
  if (most <= 0 || (others.length > 0 && !isSum) || !isOnly) return undefined
  return totals.filter(({ value }) => value === most).map(({ value, at }) => ({ value, at }))[0]
}

const distinct = (amounts: readonly Amount[]): number[] => [...new Set(amounts.map(({ value }) => value))]

const signs: Record<string, string> = { EUR: '€|eur(?:os?)?', GBP: '£|gbp', USD: '\\$|usd', CHF: 'chf' }
const figure = "\\d{1,3}(?:[ .,']\\d{3}){1,3}(?:[.,]\\d{2})?|\\d{1,7}(?:[.,]\\d{2})?"

function amountsIn({ plain, language }: Pasted, currency: string): Amount[] {
  const sign = signs[currency] ?? currency.toLowerCase().replaceAll(/[^a-z]/g, '')
  const pattern = new RegExp(
    `(?:(?<![a-z])(${sign}) ?|(?<![\\w.,/:€$£-]))(${figure})(?![\\d/:%]|[.,]\\d)(?: ?(${sign})(?![a-z]))?` +
      `( ?(?:[$£¥%]|usd|gbp|chf|eur|[a-z]))?`,
    'g',
  )
  return matchesIn(plain, pattern).flatMap((match): Amount[] => {
    const [all, first, digits = '', last, next = ''] = match
    const { index } = match
    const value = amountOf(digits, language)
    const hasCurrency = Boolean(first || last)
    const isOther = (!hasCurrency && /[$£¥%]|usd|gbp|chf/.test(next)) || otherCurrency.test(plain.slice(Math.max(0, index - 5), index))
    if (value === undefined || isOther) return []
    return [{ value, at: [index, index + all.length - next.length], hasCurrency, hasCents: /[.,]\d{2}$/.test(digits) }]
  })
}

/** A currency sign before an amount that is not the unit's. */
const otherCurrency = /(?:[$£¥]|(?<![a-z])(?:usd|gbp|chf|eur|brl|cad|aud|mxn|clp|ars|cop|pen|jpy)) ?$/

/** Reads 1.234,56 and 1,234.56 and 1 234,56. 1.234 is over a thousand in a language that groups by points; English groups by commas. */
function amountOf(digits: string, language: string): number | undefined {
  const [, whole = '', sign, cents = '0'] = /^(.*?)(?:([.,])(\d{2}))?$/.exec(digits) ?? []
  const [group, ...others] = new Set(whole.match(/[ .,']/g))
  if (others.length > 0 || (group !== undefined && group === sign)) return undefined
  if (sign === undefined && (group === '.' || group === ',') && (group === ',') !== (language === 'en')) return undefined
  const value = Number(`${whole.replaceAll(/[ .,']/g, '')}.${cents}`)
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
  const next = all.find(other => other.at[0] >= at[1])?.at[0] ?? Number.POSITIVE_INFINITY
  const previous = all.findLast(other => other.at[1] <= at[0] && other.hasCurrency)
  const { label, behind, above } = cuesOf(pasted, at, previous?.at[1], Math.min(next, at[1] + 40))
  const line = above ? pasted.plain.slice(...above) : ''
  const isBare = !/[a-z]{3}/.test(label.replace(/\b(?:eur|euros?)\b/, ''))
  const words = isBare && line && line.length < 60 && !/\d/.test(line) ? `${line} ` : label
  if (apiece.test(words) || apiece.test(behind)) return 0
  if (total.test(words)) return 3
  if (partial.test(words)) return 0
  if (bareTotal.test(words) || (hasCurrency && totalBehind.test(behind))) return 2
  return hasCurrency && price.test(words) ? 1 : 0
}
