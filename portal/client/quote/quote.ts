import type { ClientQuotes } from '#common/client/quote/calls.ts'
import type { Words } from '#portal/kit/words.tsx'

export type ClientQuote = ClientQuotes['quotes'][number]
export type Traveller = ClientQuote['travellers'][number]

/** True if the client can still complete and take out the quote. */
export const isAnswerable = ({ state }: ClientQuote): boolean => state === 'open' || state === 'paying'

/** Returns a traveller's name, or what stands for it until it is known. */
export const nameOf = ({ name, holder, position }: Pick<Traveller, 'name' | 'holder' | 'position'>, words: Words): string =>
  name || (holder ? words('quoted.holder') : words('quoted.traveller', { number: position + 1 }))
