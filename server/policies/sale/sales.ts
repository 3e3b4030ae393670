import type { World } from '#server/kit/app-context.ts'
import type { Papers } from '#server/documents/public.ts'
import type { CardNetwork } from '#server/payments/public.ts'
import { type Numbers, openNumbers } from './numbers.ts'

/** What the verbs of a sale are handed. Without a card network nothing is sold by card. */
export type Sales = { world: World; cards: CardNetwork | undefined; numbers: Numbers; papers: Papers }

export const policyPurchased = 'policy.purchased'

export const openSales = (world: World, cards: CardNetwork | undefined, papers: Papers): Sales => ({
  world,
  cards,
  papers,
  numbers: openNumbers(world),
})
