import { searchable } from '#common/kit/text.ts'
import type { BankEntry } from './entry.ts'

/** An agency with the facts by which a bank's entry may name it. */
export type Payer = {
  id: string
  /** Its key and its names. */
  names: readonly string[]
  currency: string
  /** The numbers of its statements, newest first. */
  statements: readonly string[]
  /** The open amounts, in cents: its last statement and its balance. Positive: the agency pays. */
  open: readonly number[]
}

/**
 * The agency proposed for an entry, and why: its statement's number, its name, or the amount alone. `doubtful`: the money left the account and the
 * agency is not owed it, such as a bank's fee that names its statement.
 */
export type Proposal = { payer: string; statement: string | null; by: 'statement' | 'name' | 'amount'; doubtful?: true }

/** The minimum number of letters of a name that identifies an agency. */
const leastLetters = 4
const mostWords = 6
const mostWordsOfText = 60

/** Returns a function that proposes an entry's agency, or none if no agency or more than one fits. */
export function openProposals(payers: readonly Payer[]): (entry: BankEntry) => Proposal | null {
  const numbers = indexOf(payers, ({ statements }) => statements)
  const names = indexOf(payers, ({ names }) => names.filter(name => name.length >= leastLetters))
  return entry => {
    const fits = ({ currency }: Payer) => currency === entry.currency
    const phrases = phrasesOf(`${entry.reference} ${entry.name}`)
    const bySign = entry.way === 'received' ? entry.cents : -entry.cents
    const owes = ({ open }: Payer) => !entry.isReversal && open.includes(bySign)
    const doubt = (payer: Payer) => (entry.way === 'paid' && !entry.isReversal && !owes(payer) ? { doubtful: true as const } : {})
    const numbered = found(numbers, phrases).filter(({ payer }) => fits(payer))
    const [first] = numbered
    if (first && isOfOne(numbered)) return { payer: first.payer.id, statement: first.written, by: 'statement', ...doubt(first.payer) }
    const named = found(names, phrases).filter(({ payer }) => fits(payer))
    const [name] = named
    if (name && isOfOne(named))
      return {
        payer: name.payer.id,
        statement: owes(name.payer) ? (name.payer.statements[0] ?? null) : null,
        by: 'name',
        ...doubt(name.payer),
      }
    // Where several agencies are named, only one of them may have paid.
    const [only, other] = (named.length > 0 ? [...new Set(named.map(({ payer }) => payer))] : payers).filter(
      each => fits(each) && owes(each),
    )
    return only && !other ? { payer: only.id, statement: only.statements[0] ?? null, by: 'amount' } : null
  }
}

type Named = { payer: Payer; written: string }

function indexOf(payers: readonly Payer[], writtenOf: (payer: Payer) => readonly string[]): Map<string, Named[]> {
  const index = new Map<string, Named[]>()
  for (const payer of payers)
    for (const written of writtenOf(payer)) {
      const phrase = wordsOf(written).join(' ')
      if (phrase !== '') index.set(phrase, [...(index.get(phrase) ?? []), { payer, written }])
    }
  return index
}

/** Returns the entries named by the most words: `azahar norte` is not `azahar`. */
function found(index: Map<string, Named[]>, phrases: ReadonlyMap<number, readonly string[]>): Named[] {
  for (const ofLength of phrases.values()) {
    const named = ofLength.flatMap(phrase => index.get(phrase) ?? [])
    if (named.length > 0) return named
  }
  return []
}

const isOfOne = (named: readonly Named[]): boolean => new Set(named.map(({ payer }) => payer.id)).size === 1

/** Returns the runs of words in a text, by their length, longest first. */
function phrasesOf(text: string): ReadonlyMap<number, readonly string[]> {
  const words = wordsOf(text).slice(0, mostWordsOfText)
  const lengths = Array.from({ length: mostWords }, (_, index) => mostWords - index)
  return new Map(lengths.map(length => [length, words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' '))]))
}

/** Banks drop hyphens and write in capitals: `azahar-2026-11`, `AZAHAR 2026 11` and `AZAHAR202611` are all `azahar 202611`. */
const wordsOf = (text: string): string[] =>
  searchable(text)
    .replaceAll(/(?<!\d)(20\d\d)[^a-z\d]?(0[1-9]|1[0-2])(?!\d)/g, ' $1$2 ')
    .split(/[^a-z\d]+/)
    .filter(Boolean)
