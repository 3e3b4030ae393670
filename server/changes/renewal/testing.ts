import { type CardApp, cardApp } from '#server/policies/testing-cards.ts'
import { ana, leo, reach, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

export const sale = '2026-11-20T10:00:00Z'
export const annual = { startDate: '2026-12-01', endDate: '2027-11-30', countriesDestinationId: '764' }
export const couple = [
  { ...ana, ...reach, birthDate: '1986-01-15' },
  { ...leo, birthDate: '1988-01-15' },
]
/** A traveller who is too old for another annual policy (C139). */
export const tooOld = { users: [{ ...ana, ...reach, birthDate: '1952-06-01' }], paxNumber: 1 }

export type Sold = { seller: Seller; policyUuid: string }

export type RenewalApp = CardApp & {
  /** Sets the clock, which runs on from there. */
  setClock(moment: string): void
  stopClock(moment: string): void
  /** Returns the seller of an annual policy at a later moment, as a session ends before. */
  soldUntil(moment: string, changes?: object): Promise<Sold>
}

export async function renewalApp(): Promise<RenewalApp> {
  let now = () => new Date()
  const setClock = (moment: string) => {
    const ahead = Date.parse(moment) - Date.now()
    now = () => new Date(Date.now() + ahead)
  }
  setClock(sale)
  const app = await cardApp({ clock: { now: () => now() } })
  return {
    ...app,
    setClock,
    stopClock(moment) {
      now = () => new Date(moment)
    },
    async soldUntil(moment, changes = {}) {
      setClock(sale)
      const before = await sellerOf(app)
      const productUUID = before.products.find(({ code }) => code === 'ANN').uuid
      const sold = await sellAs(before, { productUUID, ...annual, users: couple, ...changes })
      setClock(moment)
      return { seller: await sellerOf(app), policyUuid: sold.body.data.policyData.policyUuid }
    },
  }
}
