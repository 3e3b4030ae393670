import type { World } from '#server/kit/app-context.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { PolicyDocuments } from '#server/documents/public.ts'
import type { CardNetwork } from '#server/payments/public.ts'
import { type KnownCatalogues, openKnownCatalogues } from '#server/quotes/public.ts'
import { type Numbers, openNumbers } from './numbers.ts'
import { openRegistered, type RegisteredSales } from '../writing/remembered.ts'

/** Dependencies of the sale's handlers. Without a card network there are no card sales. */
export type Sales = {
  world: World
  cards: CardNetwork | undefined
  numbers: Numbers
  documents: PolicyDocuments
  catalogues: KnownCatalogues
  registered: RegisteredSales
  /** The quotas that a request was charged to, each with the function that gives it back. */
  charged: WeakMap<object, Map<Quota, () => void>>
}

export const policyPurchased = 'policy.purchased'

export const openSales = (world: World, cards: CardNetwork | undefined, documents: PolicyDocuments): Sales => ({
  world,
  cards,
  documents,
  numbers: openNumbers(world),
  catalogues: openKnownCatalogues(world.database),
  registered: openRegistered(),
  charged: new WeakMap(),
})

/** Makes a version's documents in a moment, unless there is a rush of sales: those of all then wait for their jobs. Returns true once they are made. */
export const makeInTime = async ({ world, documents }: Sales, ...of: Parameters<PolicyDocuments['makeInTime']>): Promise<boolean> =>
  !world.outbox.isRushed(policyPurchased) && documents.makeInTime(...of)

type Quota = 'sales' | 'mails'

/** Charges a request to a quota once, whichever way carries it out. */
export async function chargeOnce({ world, charged }: Sales, input: { caller: CallerInUnit }, quota: Quota): Promise<void> {
  const before = charged.get(input) ?? new Map<Quota, () => void>()
  charged.set(input, before)
  if (!before.has(quota)) before.set(quota, await world.spend(input.caller, quota))
}

/** Gives back what a request was charged that turns out to be a repeated one. */
export function giveBack({ charged }: Sales, input: object): void {
  for (const each of charged.get(input)?.values() ?? []) each()
  charged.delete(input)
}
