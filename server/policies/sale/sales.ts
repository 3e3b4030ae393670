import type { World } from '#server/kit/app-context.ts'
import type { PolicyDocuments } from '#server/documents/public.ts'
import type { CardNetwork } from '#server/payments/public.ts'
import { type KnownCatalogues, openKnownCatalogues } from '#server/quotes/public.ts'
import { type Numbers, openNumbers } from './numbers.ts'
import { openRegistered, type RegisteredSales } from './writing/remembered.ts'

/** Dependencies of the sale's handlers. Without a card network there are no card sales. */
export type Sales = {
  world: World
  cards: CardNetwork | undefined
  numbers: Numbers
  documents: PolicyDocuments
  catalogues: KnownCatalogues
  registered: RegisteredSales
}

export const policyPurchased = 'policy.purchased'

export const openSales = (world: World, cards: CardNetwork | undefined, documents: PolicyDocuments): Sales => ({
  world,
  cards,
  documents,
  numbers: openNumbers(world),
  catalogues: openKnownCatalogues(world.database),
  registered: openRegistered(),
})
