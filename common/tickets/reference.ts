import type { TicketKind } from '#common/products/tickets.ts'
import { checkLetter } from '#common/policies/number.ts'

/** Returns a ticket's reference: kind, sequence number, and a letter that reveals errors. */
export const ticketReference = (kind: TicketKind, sequence: number): string => {
  const digits = String(first + sequence)
  return `${kind === 'claim' ? 'C' : 'R'}${digits}-${checkLetter(digits)}`
}

/** Six digits from the first one on. Policy numbers have more. */
const first = 100_000
