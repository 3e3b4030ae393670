import { toCents } from '#common/kit/money.ts'
import { after, before, lineAbove, lineStart, matchesIn, type Pasted, type Span } from './text.ts'

/** In the currency's major unit, as the form has it. */
export type FoundAmount = { value: number; at: Span }

type Amount = FoundAmount & { hasCurrency: boolean; hasCents: boolean }

/** What the whole trip costs: an amount that is called its total. With several of them only one that the others make up. */
export function findTotal(pasted: Pasted, currency: string): FoundAmount | undefined {
  const amounts = amountsIn(pasted, currency)
  const called = amounts.map(amount => ({ amount, rank: rankOf(pasted, amount, amounts) })).filter(({ rank }) => rank > 0)
  const best = Math.max(0, ...called.map(({ rank }) => rank))
  const totals = called.filter(({ rank }) => rank === best).map(({ amount }) => amount)
  const values = [...new Set(totals.map(({ value }) => value))].toSorted((a, b) => b - a)
  const [most, ...others] = values
  if (most === undefined || most <= 0) return undefined
  const isSum = toCents(others.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100) === toCents(most)
  // Without the word for it, an amount is the price only where it is the only one.
  if (others.length > 0 && !isSum) return undefined
  if (best === 1 && new Set(amounts.filter(({ hasCurrency }) => hasCurrency).map(({ value }) => value)).size > 1) return undefined
  const found = totals.find(({ value }) => value === most)
  return found && { value: found.value, at: found.at }
}

const signs: Record<string, string> = { EUR: '€|eur(?:os?)?', GBP: '£|gbp', USD: '\\$|usd', CHF: 'chf' }
const figure = "\\d{1,3}(?:[ .,']\\d{3})+(?:[.,]\\d{2})?|\\d{1,7}(?:[.,]\\d{2})?"

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
    if (value === undefined || (!hasCurrency && next && /[$£¥%]|usd|gbp|chf/.test(next)) || /[$£¥]/.test(plain[match.index - 1] ?? ''))
      return []
    return [{ value, at: [match.index, match.index + all.length - (next?.length ?? 0)], hasCurrency, hasCents: /[.,]\d{2}$/.test(digits) }]
  })
}

/** 1.234,56 and 1,234.56 and 1 234,56; 1.234 alone is a thousand and more where the language groups by points, and by commas in English. */
export function amountOf(digits: string, language: string): number | undefined {
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

const apiece =
  /\b(?:por|per|par|a|by|\/|cada|each|chacun) ?(?:person[ae]?|pers|pax|persona|personne|pessoa|adult\w?|passenger|pasajero|nuit|night|noche|notte|noite|testa|head|cabeza|viajero|dia|day|jour|giorno)\b|\bp\/?p\b|\b(?:each|chacun|cadauno)\b/
const partial =
  /\b(?:sub-?total\w*|sous-total|subtotale|tasas?|tax|taxes|tasse|taxas?|impuestos|iva|vat|tva|puntos|points|punti|pontos|pendiente|resto|restante|remaining|balance|outstanding|saldo|solde|due|deposit\w*|acompte|acconto|anticipo|sinal|descuento|discount|remise|sconto|desconto|ahorro|seguro|insurance|assurance|assicurazione|franquicia|excess|noches|nights|equipaje|baggage|bagages|asientos?|seats?|extras?|primer pago|first payment|cancelacion|refund|reembolso|penal\w*|gastos|fee|fees|frais|desde|from|a partir|da soli)\b/
const strong =
  /\b(?:(?:importe|precio|coste|valor|monto) (?:total|final)|total (?:del? (?:viaje|reserva|la reserva)|de la reserva|a pagar|reserva|viaje|general|pagado|viagem|da viagem|da reserva)|grand total|total (?:\w+ )?(?:price|cost|amount)|total (?:trip|booking|fare|paid|charged|to pay)|trip total|booking total|(?:montant|prix|cout) total|total (?:ttc|general|du (?:voyage|sejour|dossier)|de la reservation|a payer|de votre)|totale (?:viaggio|prenotazione|da pagare|complessivo|generale)|(?:importo|prezzo|costo) totale|(?:preco|valor|custo|montante) total)\b/
const bare = /\b(?:totale?|tot)\b/
const weak = /\b(?:precio|price|prix|prezzo|preco|cuesta|costs?|coute|costa|importe|importo|montant|valor|cost|custa)\b/

/** How surely an amount is the trip's price: 3 by its full name, 2 as a total, 1 as a price. */
function rankOf(pasted: Pasted, { at, hasCurrency, hasCents }: Amount, all: readonly Amount[]): number {
  if (!(hasCurrency || hasCents)) return 0
  const next = all.find(other => other.at[0] >= at[1])
  const behind = after(pasted, at[1], Math.min(next?.at[0] ?? Number.POSITIVE_INFINITY, at[1] + 40))
  const previous = all.findLast(other => other.at[1] <= at[0] && other.hasCurrency)
  const since = previous && previous.at[1] > lineStart(pasted.plain, at[0]) ? previous.at[1] : 0
  const words = labelOf(pasted, at, since)
  if (apiece.test(words) || apiece.test(behind)) return 0
  if (strong.test(words)) return 3
  if (partial.test(words)) return 0
  if (bare.test(words)) return 2
  if (hasCurrency && /^[ ,(]{0,2}(?:en |in |au |no |em |di |de )?(?:totale?)\b/.test(behind)) return 2
  return hasCurrency && weak.test(words) ? 1 : 0
}

function labelOf(pasted: Pasted, at: Span, since: number): string {
  const words = before(pasted, at[0], since)
  const start = lineStart(pasted.plain, at[0])
  if (since > start || /[a-z]{3}/.test(words.replace(/\b(?:eur|euros?)\b/, ''))) return words
  const line = lineAbove(pasted.plain, at[0])
  return line && line[1] - line[0] < 60 && !/\d/.test(pasted.plain.slice(...line)) ? `${pasted.plain.slice(...line)} ` : words
}
