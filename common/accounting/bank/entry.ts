/** The maximum size of a bank's file. A month of a busy account has some thousand entries, in one or two megabytes. */
export const mostBytes = 5_000_000
export const mostEntries = 5000
/** The maximum number of entries that one request books. */
export const mostBooked = 200

/** A booked movement on the insurer's account at its bank. */
export type BankEntry = {
  /** Named as the bank does: an IBAN, or the eighteen digits of bank, branch and number. */
  account: string
  /** YYYY-MM-DD. */
  bookedOn: string
  /** Money that comes into the account, or leaves it. */
  way: 'received' | 'paid'
  /** True if it reverses an earlier movement. */
  isReversal: boolean
  cents: number
  currency: string
  /** The name of the other party, if the bank gives it. */
  name: string
  /** The texts that came with the payment. */
  reference: string
  /** The bank's own reference, or else all texts: distinguishes entries of the same day and amount. */
  mark: string
  /** The page of the statement (from 1). An entry with the bank's own reference is the same on any page. */
  page: number
}

/** The problems of a file. `heavy`: it takes too long to read. */
export type BankFault = 'empty' | 'large' | 'kind' | 'doctype' | 'broken' | 'many' | 'amount' | 'currency' | 'date' | 'sum' | 'heavy'

/** A problem and its position, counted from 1: a line of a text, or an entry of an XML file. Without a position: the whole file. */
export type BankProblem = { fault: BankFault; line?: number; entry?: number }

export type BankFile = { entries: BankEntry[]; problems: BankProblem[] }

/** The maximum number of problems reported for one file. */
export const mostProblems = 20

export const refused = (fault: BankFault, place: Omit<BankProblem, 'fault'> = {}): BankFile => ({
  entries: [],
  problems: [{ fault, ...place }],
})

/** Returns one line of visible text. Banks write a keyword of their own where there is no reference. */
export function bankText(text: string, most = 500): string {
  const line = text
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, most)
  return /^(?:0*|nonref|notprovided|not provided)$/i.test(line) ? '' : line
}

/** Writes an account the same way for both formats: a Spanish IBAN contains the bank, the branch and the number. */
export function accountKey(account: string): string {
  const plain = account.replaceAll(/\s/g, '').toUpperCase()
  const [, bank, number] = /^ES\d{2}(\d{8})\d{2}(\d{10})$/.exec(plain) ?? []
  return bank && number ? bank + number : plain
}
