import type { TicketKind } from '#common/products/tickets.ts'
import { checkLetter } from '#common/policies/number.ts'

/** A ticket's reference, short enough for the telephone: its kind, its place in the unit's row of tickets, and a letter that tells slips. */
export const ticketReference = (kind: TicketKind, place: number): string => {
  const digits = String(first + place)
  return `${kind === 'claim' ? 'C' : 'R'}${digits}-${checkLetter(digits)}`
}

/** Six digits from the first one on: no policy's number has so few. */
const first = 100_000
