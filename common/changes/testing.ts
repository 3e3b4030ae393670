import { premiumIn, totalIn } from '#common/quotes/price-lines.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { product } from '#common/products/catalogue.ts'
import { afterSale } from '#common/products/tariff.ts'
import { today } from '#common/kit/dates.ts'
import type { Trip } from '#common/quotes/trip.ts'
import { basisOf, type Code, commissionPercent, inEnglish } from '#common/quotes/rating/testing.ts'
import type { CancelPreview } from './ending/cancel.ts'
import type { ReinstatePreview } from './ending/reinstate.ts'
import { chargedFor } from './money.ts'
import type { ChangePreview } from './change.ts'
import type { Edition, Now, Person, Policy } from './state.ts'
import { ratedTrip } from './asked/price.ts'

const folder = join(import.meta.dirname, '../../catalogue')
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

const countries: Record<string, number> = { azahar: 724, rotta: 380 }

export const terms = z.parse(afterSale, read('after-sale.json'))

export const now = (at: string | number, more: Partial<Now> = {}): Now => ({
  at: typeof at === 'number' ? at : Date.parse(at),
  excludedCountries: [],
  gateways: ['Deferred', 'StripeV2'],
  countryName: inEnglish,
  ...more,
})

export type Sale = {
  product: Code
  soldAt: string
  trip: Omit<Trip, 'amountCents'> & { amount?: number }
  people: readonly Person[]
  unit?: string
  gateway?: string
}

const editions = new Map<string, Edition>()

/** Reads each edition once, as properties sell thousands of policies. */
function editionOf(code: Code, unit: string): Edition {
  const name = `${code} ${unit}`
  const known = editions.get(name)
  if (known) return known
  const { servicing } = z.parse(product, read(`products/${code}.json`))
  if (!servicing) throw new Error(`${code} has no servicing`)
  const basis = basisOf(code, countries[unit])
  const edition = { basis, commissionPercent: commissionPercent(code, unit), servicing, afterSale: terms }
  editions.set(name, edition)
  return edition
}

/** Returns a policy in the state right after its sale. */
export function sold({ product: code, soldAt, trip: { amount, ...rest }, people, unit = 'azahar', gateway = 'Deferred' }: Sale): Policy {
  const edition = editionOf(code, unit)
  const { basis } = edition
  const trip: Trip = { ...rest, ...(amount === undefined ? {} : { amountCents: Math.round(amount * 100) }) }
  const at = Date.parse(soldAt)
  const timeZone = unit === 'rotta' ? 'Europe/Rome' : 'Europe/Madrid'
  const rated = ratedTrip(basis, trip, people, today(at, timeZone))
  if (!rated) throw new Error('no price')
  const charged = chargedFor(edition, {
    trip,
    premium: rated.premium,
    cancellation: rated.cancellationPremium,
    personDays: people.length * rated.days,
  })
  return {
    edition,
    timeZone,
    soldAt: at,
    version: 1,
    status: 'purchased',
    holder: 'travels',
    trip,
    people,
    charged,
    tariffPremium: premiumIn(charged),
    segments: [{ from: trip.startDate, to: trip.endDate, premium: premiumIn(charged), joined: 0 }],
    payments: [{ paymentUuid: '1', gateway, left: totalIn(charged) }],
    channel: 'counter',
    askedToBegin: false,
    claimed: false,
    pending: false,
    twin: false,
  }
}

/** Returns the policy after a movement, with its payments. */
export function after(policy: Policy, preview: ChangePreview | CancelPreview | ReinstatePreview): Policy {
  if (!preview.after) throw new Error(JSON.stringify(preview.refusals))
  const back = new Map(preview.charge > 0 ? [] : preview.routes.map(({ paymentUuid, amount }) => [paymentUuid, amount]))
  const payments = policy.payments.map(payment => ({ ...payment, left: payment.left - (back.get(payment.paymentUuid) ?? 0) }))
  const made =
    preview.charge > 0
      ? preview.routes.map(({ gateway, amount }) => ({ paymentUuid: String(payments.length + 1), gateway, left: amount }))
      : []
  const people = preview.after.people.map((person, index) => ({
    ...person,
    personUuid: person.personUuid ?? `new ${policy.version}.${index}`,
  }))
  return { ...policy, ...preview.after, people, version: policy.version + 1, payments: [...payments, ...made] }
}

/** Returns a traveller without a surname, as in the cases. */
export const person = (
  personUuid: string,
  birthDate: string,
  docNumber: string | null = `D-${personUuid}`,
  name = `Traveller ${personUuid}`,
): Person => ({
  personUuid,
  name,
  birthDate,
  docNumber,
})
