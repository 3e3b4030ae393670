import type { ResponseOf } from '#common/kit/call.ts'
import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const calls = callsOf<typeof schemas>()
/** The client has no session, but a link. Its token is sent in the body, so that no URL and no log contains it. */
const client = calls('nothing')
const sell = calls('b2b-products-sell')

export const clientQuote = client<'clientQuote'>('POST', '/api/client/quote')
export const clientQuoteComplete = client<'clientQuoteComplete'>('POST', '/api/client/quote/complete')
export const clientQuotePay = client<'clientQuotePay'>('POST', '/api/client/quote/pay')
export const clientQuoteDecline = client<'clientQuoteDecline'>('POST', '/api/client/quote/decline')

/** Makes a link for a messenger. Each call makes another; earlier ones stay open. */
export const makeQuoteLink = sell<'makeQuoteLink'>('POST', '/api/policy/quote-link')
export const revokeQuoteLinks = sell<'revokeQuoteLinks'>('POST', '/api/policy/quote-link/revoke')

export type ClientQuotes = ResponseOf<typeof clientQuote>
