import type { Front } from '#server/kit/front.ts'
import { offeredProducts } from '#server/products/rows.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { servePolicies } from './serve.ts'
import { openNumbers } from './sale/numbers.ts'
import type { Papers } from './sale/sales.ts'

export const noPapers: Papers = { note: () => Promise.resolve(), list: () => Promise.resolve([]), make: () => Promise.resolve([]) }

/** Sales at one price for everything. */
export const servePricedPolicies = (front: Front): void =>
  servePolicies(front, {
    world: front.world,
    cards: undefined,
    numbers: openNumbers(front.world),
    papers: noPapers,
    price: async (scope, tx, trip, { now }) => {
      const product = (await offeredProducts(scope, tx)).find(({ id }) => id === trip.productUUID)
      if (!product) throw refuseFields([{ path: 'productUUID', rule: 'product', key: 'shape.format' }])
      return {
        currency: 'EUR',
        totalCents: 3376,
        travelCents: 3120,
        cancellationCents: 0,
        taxes: [
          { code: 'IPS', rate: 8, amountCents: 250 },
          { code: 'A', rate: 0, amountCents: 6 },
        ],
        commission: { rate: 28, amountCents: 874 },
        perTravellerCents: [1560, 1560],
        validUntil: new Date(now.getTime() + 86_400_000),
        product: { uuid: product.id, name: product.content.name.es, version: 1 },
        tariffVersion: '2026-01',
        catalogueVersion: 1,
        quote: { total: 33.76 },
      }
    },
  })
