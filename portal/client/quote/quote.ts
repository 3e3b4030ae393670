import type { ClientQuotes } from '#common/client/quote/calls.ts'

export type ClientQuote = ClientQuotes['quotes'][number]

/** True if the client can still complete and take out the quote. */
export const isAnswerable = ({ state }: ClientQuote): boolean => state === 'open' || state === 'paying'
