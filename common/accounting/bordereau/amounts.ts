import type { Entry, MovementKind } from '../book.ts'

/** The insurer's words for what a movement does to a premium. */
export type Transaction = 'New' | 'Additional' | 'Return' | 'Cancellation' | 'Withdrawal' | 'Reinstatement' | 'Renewal'

/** A tax of one movement in cents. `kept` is the part that the client gets back and the state does not return: the insurer pays it. */
type BordereauTax = { code: string; amount: number; kept: number }

/** The amounts of one movement in cents, with the sign of the money book: positive is charged, negative goes back. */
export type BordereauAmounts = { premium: number; taxes: BordereauTax[]; gross: number; commission: number; net: number }

export type ControlSums = Omit<BordereauAmounts, 'taxes'> & {
  rows: number
  taxes: Record<string, { amount: number; kept: number }>
  /** The number of rows and their gross premiums, by transaction. */
  transactions: Partial<Record<Transaction, { rows: number; gross: number }>>
}

const keptMark = ' kept'
const taxMark = 'tax:'

/** Reads a row's amounts from the entries of its movement, so a bordereau cannot differ from the book. */
export function bordereauAmounts(entries: readonly Entry[]): BordereauAmounts {
  const taxes = new Map<string, BordereauTax>()
  let premium = 0
  let commission = 0
  for (const { account, cents } of entries) {
    if (account === 'insurer_premium') premium -= cents
    else if (account === 'commission_payable') commission -= cents
    else if (account.startsWith(taxMark)) addTax(taxes, account.slice(taxMark.length), cents)
  }
  const gross = [...taxes.values()].reduce((sum, { amount }) => sum + amount, premium)
  return { premium, taxes: [...taxes.values()], gross, commission, net: gross - commission }
}

function addTax(taxes: Map<string, BordereauTax>, account: string, cents: number): void {
  const isKept = account.endsWith(keptMark)
  const code = isKept ? account.slice(0, -keptMark.length) : account
  const tax = taxes.get(code) ?? { code, amount: 0, kept: 0 }
  taxes.set(code, isKept ? { ...tax, kept: tax.kept - cents } : { ...tax, amount: tax.amount - cents })
}

/** A change and its undo are named by the direction in which the premium moves, and the sale of a policy's next term is a renewal. */
export function transactionOf({ kind, renews }: { kind: MovementKind; renews: boolean }, gross: number): Transaction {
  if (kind === 'sale') return renews ? 'Renewal' : 'New'
  if (kind === 'cancellation') return 'Cancellation'
  if (kind === 'withdrawal') return 'Withdrawal'
  if (kind === 'reinstatement') return 'Reinstatement'
  return gross < 0 ? 'Return' : 'Additional'
}

export const noSums: ControlSums = { rows: 0, premium: 0, taxes: {}, transactions: {}, gross: 0, commission: 0, net: 0 }

/** Adds a row to the control sums, so that a million rows need not be held at once. */
export function withRow(sums: ControlSums, row: BordereauAmounts, transaction: Transaction): ControlSums {
  const taxes = { ...sums.taxes }
  for (const { code, amount, kept } of row.taxes) {
    const sum = taxes[code] ?? { amount: 0, kept: 0 }
    taxes[code] = { amount: sum.amount + amount, kept: sum.kept + kept }
  }
  const { rows, gross } = sums.transactions[transaction] ?? { rows: 0, gross: 0 }
  return {
    rows: sums.rows + 1,
    premium: sums.premium + row.premium,
    taxes,
    transactions: { ...sums.transactions, [transaction]: { rows: rows + 1, gross: gross + row.gross } },
    gross: sums.gross + row.gross,
    commission: sums.commission + row.commission,
    net: sums.net + row.net,
  }
}

/** The sums of other books that a bordereau must match. */
export type OtherSums = { rows: number; gross: number; commission: number }

/** True if a bordereau's sums equal those of its month's statements and of the money book. */
export const isEqual = (sums: OtherSums, others: readonly OtherSums[]): boolean =>
  others.every(({ rows, gross, commission }) => rows === sums.rows && gross === sums.gross && commission === sums.commission)
