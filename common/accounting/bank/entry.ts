/** Limits of a bank's file. A month of a busy account has some thousand entries, in one or two megabytes. */
export const mostBytes = 5_000_000
export const mostEntries = 5000
/** The most entries that one request books. */
export const mostBooked = 200

/** A booked movement on the insurer's account at its bank. */
export type BankEntry = {
  /** As the bank names it: an IBAN, or the eighteen digits of bank, branch and number. */
  account: string
  /** YYYY-MM-DD. */
  bookedOn: string
  /** Into the account, or out of it. */
  way: 'received' | 'paid'
  /** Takes an earlier movement back. */
  isReversal: boolean
  cents: number
  currency: string
  /** The other side, if the bank says. */
  name: string
  /** The texts that came with the payment. */
  reference: string
  /** The bank's own reference of it, or all its texts without one: tells it from others of the same day and amount. */
  mark: string
  /** The page of the statement (from 1). An entry with the bank's own reference is the same on any page. */
  page: number
}

/** The faults of a file. `heavy`: reading it takes too long. */
export type BankFault = 'empty' | 'large' | 'kind' | 'doctype' | 'broken' | 'many' | 'amount' | 'currency' | 'date' | 'sum' | 'heavy'

/** A problem, and where: the line of a text, or the entry of an XML file, from 1. The whole file without a place. */
export type BankProblem = { fault: BankFault; line?: number; entry?: number }

export type BankFile = { entries: BankEntry[]; problems: BankProblem[] }

/** The most problems of one file that are reported. */
export const mostProblems = 20

export const refused = (fault: BankFault, place: Omit<BankProblem, 'fault'> = {}): BankFile => ({
  entries: [],
  problems: [{ fault, ...place }],
})

/** Returns one line of visible text. Banks write a word of their own where there is no reference. */
export function bankText(text: string, most = 500): string {
  const line = text
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, most)
  return /^(?:0*|nonref|notprovided|not provided)$/i.test(line) ? '' : line
}

/** Names an account alike in both formats: a Spanish IBAN holds the bank, the branch and the number. */
export function accountKey(account: string): string {
  const plain = account.replaceAll(/\s/g, '').toUpperCase()
  const [, bank, number] = /^ES\d{2}(\d{8})\d{2}(\d{10})$/.exec(plain) ?? []
  return bank && number ? bank + number : plain
}
