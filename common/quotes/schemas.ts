import * as z from 'zod/mini'
import { names } from '#common/kit/schemas/names.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { date, nothing } from '#common/kit/schemas/parts.ts'
import * as catalogue from '#common/products/catalogue.ts'
import { tariff as tariffData, taxes, zones } from '#common/products/tariff.ts'

const country = z.number().check(z.int(), z.gte(1), z.lte(999))

/** At most fifty ids, joined by commas: `380,250`. */
export const countries = z.string().check(z.regex(/^\d{1,3}(?:,\d{1,3}){0,49}$/))

/** A trip to be priced or registered (spec 7). Rating checks the limits. */
export const tripFields = {
  startDate: date,
  endDate: date,
  countryOriginId: country,
  countriesDestinationId: countries,
  paxNumber: z.number().check(z.int()),
  insurancedAmount: z.optional(z.number()),
  reservationDate: z.optional(date),
}

const birthDates = z.optional(z.array(z.nullable(date)).check(z.maxLength(1000)))
/** The ages on the start date, which price a traveller without a birth date. */
export const ages = z.optional(z.array(z.nullable(z.int().check(z.gte(0), z.lte(150)))).check(z.maxLength(1000)))
const trip = z.strictObject({ ...tripFields, birthDates, ages })
export type TripSent = z.output<typeof trip>

/** Must be the product's id, as spec 7 sends both. */
export const insuranceType = z.optional(z.nullable(z.union([z.number(), z.string().check(z.maxLength(200))])))

/** Amounts are in major units. `rate` is in percent of `sharePercent` of the premium, or (without a share) of the accident capital per year. */
export const quote = z
  .object({
    quoteUUID: z.uuid(),
    productUUID: z.uuid(),
    /** The days that the policy covers. A product with a term has its own. */
    startDate: date,
    endDate: date,
    currency: z.string(),
    total: z.number(),
    premium: z.number(),
    travelPremium: z.number(),
    cancellationPremium: z.number(),
    taxes: z.array(
      z.object({ code: z.string(), label: z.string(), rate: z.number(), sharePercent: z.nullable(z.number()), amount: z.number() }),
    ),
    commission: z.object({ rate: z.number(), amount: z.number() }),
    travelDays: z.number(),
    zone: z.string(),
    perTraveller: z.array(z.object({ birthDate: z.nullable(z.string()), premium: z.number() })),
    provisional: z.boolean(),
    validUntil: z.string(),
  })
  .register(names, { id: 'Quote' })
export type Quote = z.output<typeof quote>

export const askQuote = {
  summary: 'Returns the price of a product for a trip, valid for 24 hours',
  request: z.strictObject({ productUUID: z.uuid(), insuranceType, ...tripFields, birthDates, ages }),
  response: quote,
} satisfies CallSchemas

/** A product that does not insure this trip, with the reason, and dates with which it would, if one change of a date is enough. */
const refused = z.object({
  productUUID: z.uuid(),
  error: z.string(),
  errorMessage: z.string(),
  fields: z.array(z.object({ path: z.string(), rule: z.string(), message: z.string() })),
  dates: z.optional(z.object({ startDate: date, endDate: date })),
})

export const compareQuotes = {
  summary: 'Quotes or refuses a trip for each product of the unit: the cheapest first, refusals last',
  request: trip,
  response: z.array(z.union([quote, refused])),
} satisfies CallSchemas

export const findQuote = {
  summary: 'Returns a quote of the business unit while it is valid. One given in the last moment before a server failed may be unknown',
  request: z.strictObject({ quoteUUID: z.uuid() }),
  response: quote,
} satisfies CallSchemas

export const leastPrices = {
  summary: 'Returns the least price of today for each product whose price does not depend on the cost of the trip',
  request: nothing,
  /** The price of `travellers` adults: the fewest that the product insures. */
  response: z.array(z.object({ productUUID: z.uuid(), currency: z.string(), total: z.number(), travellers: z.int() })),
} satisfies CallSchemas

/** Belongs to quotes, because cover is a step of rating. The API contract sets the path. */
export const checkDestinationCoverage = {
  summary: 'Checks if a product covers all destinations from the given or its default country of origin',
  request: z.strictObject({ productUuid: z.uuid(), countriesDestinationId: countries, countryOriginId: z.optional(country) }),
  response: z.object({ covered: z.literal(true) }),
} satisfies CallSchemas

const place = z.number()
const settings = z.extend(catalogue.settings, {
  countries: z.array(place),
  defaultDestinationCountry: z.nullable(place),
  defaultOriginRegion: place,
})

/** The input with which `priceTrip` returns the service's price to the cent (rating/basis.ts). */
export const basis = z
  .object({
    settings,
    accidentCapital: z.number(),
    tariff: tariffData,
    zones,
    taxes,
    country: z.number(),
    currency: z.string(),
    earliestBirthDate: date,
  })
  .register(names, { id: 'Basis' })

export const tariff = {
  summary: 'Returns the rating figures of a product, for pricing without requests',
  request: z.strictObject({ productUuid: z.uuid() }),
  response: z.object({
    productUUID: z.uuid(),
    /** Percent of the premium; null for users who may not sell. */
    commissionPercent: z.nullable(z.number()),
    basis,
  }),
} satisfies CallSchemas
