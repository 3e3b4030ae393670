import type { QuoteState } from '#common/policies/quote-link.ts'
import type { ClientQuotes } from '#common/client/quote/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { boughtBy, findLink, isPriceOver, type PolicyRow, type QuoteLinkRow, quotesOf } from '#server/policies/public.ts'

/** A link with its quotes, and the one that was bought by it. */
export type Link = { row: QuoteLinkRow; quotes: PolicyRow[]; bought: string | null; timeZone: string }

/** Reads a link with what has become of its quotes. `find` locks it where it is to be answered. */
export async function linkIn(tx: UnitTx, linkId: string, find: typeof findLink = findLink): Promise<Link> {
  const row = await find(tx, linkId)
  if (!row) throw new Refusal('request.not_found')
  const { timeZone } = await unitSettings(tx)
  return { row, quotes: await quotesOf(tx, linkId), bought: await boughtBy(tx, row), timeZone }
}

/** Returns the client's answer to a link as a whole. */
export const decisionOn = ({ row, bought }: Pick<Link, 'row' | 'bought'>): ClientQuotes['decision'] => (bought ? 'bought' : row.decision)

const isSold = ({ status }: PolicyRow): boolean => status === 'purchased' || status === 'cancelled'

/** Returns the state of a quote for the client. Nothing stores it: the policies and the link's answer say it. */
export function stateOf(quote: PolicyRow, { row, quotes, bought, timeZone }: Link, now: Date): QuoteState {
  if (quote.id === bought) return 'bought'
  if (isSold(quote)) return 'taken_out'
  if (quote.status === 'deleted' || quote.status === 'blocked' || quote.erased_at) return 'gone'
  if (quotes.some(isSold)) return 'other_quote'
  if (row.decision === 'accepted') return row.decided_policy === quote.id ? 'accepted' : 'other_quote'
  if (quote.status === 'pending') return 'paying'
  return isPriceOver(quote, now, timeZone) ? 'expired' : 'open'
}

/** Refuses a link that was revoked since its bearer was admitted, as one that is unknown. */
export function demandStanding({ row }: Pick<Link, 'row'>): void {
  if (row.revoked_at) throw new Refusal('request.not_found')
}
