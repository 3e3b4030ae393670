import { searchable } from '#common/kit/text.ts'
import { type AmountFault, amountIn, decimalSignOf, otherCurrencyIn } from './amount.ts'
import { type List, readList } from './columns.ts'

/** The amounts of a policy in the book, in cents. */
export type OwnPolicy = { id: string; number: string; reference: string; gross: number; commission: number }

/** An amount that a list may leave out. */
type Amounts = { gross: number | null; commission: number | null }

/** `missing_there`: missing in the agency's list. `missing_here`: missing in the book. */
export type MatchState = 'matched' | 'differs' | 'missing_there' | 'missing_here'
/** `id`: the policy's, if it is in the book. `currency`: that of the agency's amounts if it differs from the book's. They are then not compared. */
export type MatchRow = {
  state: MatchState
  id: string | null
  number: string
  reference: string
  ours: Amounts | null
  theirs: Amounts | null
  currency: string | null
}

export type MatchFault = 'columns' | 'empty' | 'many' | 'heavy' | AmountFault
export type MatchProblem = { fault: MatchFault; line?: number }
/** `unclear`: the lines with an amount whose decimal sign is unknown. */
export type Match = { problems: MatchProblem[]; unclear: number[]; rows: MatchRow[] }

export const mostLines = 50_000
const mostProblems = 20

const refused = (fault: MatchFault): Match => ({ problems: [{ fault }], unclear: [], rows: [] })

/** Compares an agency's own list with the book, by policy: lines of one policy are added up on both sides. */
export function matchList(csv: string, own: readonly OwnPolicy[], currency = 'EUR'): Match {
  const list = readList(csv)
  if (!list) return refused(csv.trim() === '' ? 'empty' : 'columns')
  if (list.rows.length > mostLines) return refused('many')
  const { problems, unclear, listed } = readLines(list, currency)
  if (problems.length > 0) return { problems, unclear: [], rows: [] }
  if (listed.length === 0) return refused('empty')
  const numbers = uniqueBy(own, ({ number }) => number)
  const references = uniqueBy(own, ({ reference }) => reference)
  const found = new Map<OwnPolicy, Listed>()
  const unknown = new Map<string, Listed>()
  for (const each of listed) {
    // Agencies name their columns freely, so a cell's value decides what it is.
    const cells = [plain(each.number), plain(each.reference)]
    const named = (known: ReadonlyMap<string, OwnPolicy>) => cells.map(cell => known.get(cell)).find(Boolean)
    const policy = named(numbers) ?? named(references)
    if (policy) found.set(policy, added(found.get(policy), each))
    else {
      const key = plain(each.number) || plain(each.reference)
      unknown.set(key, added(unknown.get(key), each))
    }
  }
  const rows = [
    ...[...unknown.values()].map(
      (theirs): MatchRow => ({
        ...named(theirs),
        id: null,
        state: 'missing_here',
        ours: null,
        theirs: amountsOf(theirs),
        currency: theirs.currency,
      }),
    ),
    ...own.flatMap(policy => compared(policy, found.get(policy))),
  ]
  return { problems: [], unclear, rows: rows.toSorted((one, other) => order[one.state] - order[other.state]) }
}

const order: Record<MatchState, number> = { differs: 0, missing_here: 1, missing_there: 2, matched: 3 }

type Listed = Amounts & { number: string; reference: string; currency: string | null }

function readLines({ columns, rows }: List, own: string): { problems: MatchProblem[]; unclear: number[]; listed: Listed[] } {
  const problems: MatchProblem[] = []
  const unclear: number[] = []
  const listed: Listed[] = []
  const column = (index: number) => decimalSignOf(index < 0 ? [] : rows.map(({ cells }) => cells[index] ?? ''))
  const [ofGross, ofCommission] = [column(columns.gross), column(columns.commission)]
  for (const { line, cells } of rows) {
    const cell = (index: number) => (cells[index] ?? '').trim()
    const [number, reference] = [cell(columns.number), cell(columns.reference)]
    // Skip an empty line, or the total below a list.
    if ((plain(number) === '' && plain(reference) === '') || isTotal(number || reference)) continue
    // One program wrote both columns, so they share a decimal sign.
    const gross = amountAt(columns.gross, ofGross ?? ofCommission)
    const commission = amountAt(columns.commission, ofCommission ?? ofGross)
    if (typeof gross === 'string') problems.push({ fault: gross, line })
    else if (typeof commission === 'string') problems.push({ fault: commission, line })
    else {
      const cellsOfMoney = [columns.currency, columns.gross, columns.commission].filter(index => index >= 0).map(cell)
      const currency = cellsOfMoney.map(text => otherCurrencyIn(text, own)).find(Boolean) ?? null
      listed.push({ number, reference, gross: gross && gross.cents, commission: commission && commission.cents, currency })
      if (gross?.unclear || commission?.unclear) unclear.push(line)
    }
    if (problems.length >= mostProblems) break

    function amountAt(index: number, sign: ReturnType<typeof column>) {
      if (index < 0) return null
      return cell(index) === '' ? { cents: 0, unclear: false } : amountIn(cell(index), sign)
    }
  }
  return { problems, unclear, listed }
}

/** The words of a row of sums, in the five languages. No policy number consists of them alone. */
const totals = new Set(
  'total totals totale totali totales totaux totais subtotal subtotals subtotale subtotales sum sums suma somma somme soma'.split(' '),
)
const besideTotals = new Set(
  'grand sous sub general generale generaux geral overall final de of du der premium importe importo montant amount'.split(' '),
)

function isTotal(text: string): boolean {
  if (text.length > 40) return false
  const words = searchable(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  return words.some(word => totals.has(word)) && words.every(word => totals.has(word) || besideTotals.has(word))
}

function compared(policy: OwnPolicy, theirs: Listed | undefined): MatchRow[] {
  const ours = amountsOf(policy)
  if (!theirs) {
    // A policy that was sold and cancelled may be missing in a list.
    if (policy.gross === 0 && policy.commission === 0) return []
    return [{ ...named(policy), id: policy.id, state: 'missing_there', ours, theirs: null, currency: null }]
  }
  const isEqual = (one: number | null, other: number | null) => one === null || one === other
  const { currency } = theirs
  const isMatched = currency === null && isEqual(theirs.gross, policy.gross) && isEqual(theirs.commission, policy.commission)
  return [{ ...named(policy), id: policy.id, state: isMatched ? 'matched' : 'differs', ours, theirs: amountsOf(theirs), currency }]
}

const named = ({ number, reference }: { number: string; reference: string }) => ({ number, reference })
const amountsOf = ({ gross, commission }: Amounts): Amounts => ({ gross, commission })

const sum = (one: number | null, other: number | null) => (one === null || other === null ? null : one + other)

/** Amounts in two currencies have no common sum. */
function added(before: Listed | undefined, each: Listed): Listed {
  if (!before) return each
  const isMixed = before.currency !== each.currency
  const total = (of: keyof Amounts) => (isMixed ? null : sum(before[of], each[of]))
  return { ...before, gross: total('gross'), commission: total('commission'), currency: before.currency ?? each.currency }
}

/** Compares numbers without separators and case. */
const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()

/** Indexes policies by a text, without those that share it with another. */
function uniqueBy(own: readonly OwnPolicy[], textOf: (policy: OwnPolicy) => string): Map<string, OwnPolicy> {
  const found = new Map<string, OwnPolicy | undefined>()
  for (const policy of own) {
    const key = plain(textOf(policy))
    if (key !== '') found.set(key, found.has(key) ? undefined : policy)
  }
  return new Map([...found].flatMap(([key, policy]) => (policy ? [[key, policy] as const] : [])))
}
