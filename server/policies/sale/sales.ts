import type { World } from '#server/kit/front.ts'
import type { PolicyDocuments } from '#server/documents/public.ts'
import type { CardNetwork } from '#server/payments/public.ts'
import { type Numbers, openNumbers } from './numbers.ts'

/** What the verbs of a sale are handed. Without a card network nothing is sold by card. */
export type Sales = { world: World; cards: CardNetwork | undefined; numbers: Numbers; documents: PolicyDocuments }

export const policyPurchased = 'policy.purchased'

export const openSales = (world: World, cards: CardNetwork | undefined, documents: PolicyDocuments): Sales => ({
  world,
  cards,
  documents,
  numbers: openNumbers(world),
})
