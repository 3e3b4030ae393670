import * as z from 'zod/mini'
import { insures, servicing, tariff } from './tariff.ts'
import { inFive, productCode } from './texts.ts'

/** The files of a catalogue folder: the insurer, its units and its products, in five languages (decision 0006). */

const text = z.string().check(z.minLength(1), z.maxLength(2000))
const country = z.number().check(z.int(), z.gte(1), z.lte(999))
const whole = z.number().check(z.int(), z.gte(0))
const positive = z.number().check(z.int(), z.gte(1))

export const insurer = z.strictObject({
  brandName: text,
  legalName: text,
  taxId: text,
  supportEmail: z.email(),
  emergencyPhone: text,
  /** The Member State in which it is registered. The check warns where this or a field below is missing; documents then leave its line out. */
  country: z.optional(country),
  seat: z.optional(text),
  register: z.optional(text),
  supervisor: z.optional(text),
  authorisation: z.optional(text),
  /** The IBAN to which agencies pay, by currency. */
  accounts: z.optional(z.record(z.string().check(z.regex(/^[A-Z]{3}$/)), text)),
})
export type CatalogueInsurer = z.output<typeof insurer>

const countryOrUnit = z.union([country, z.literal('unit')])

const monthDay = z.string().check(z.regex(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/))

export const settings = z.strictObject({
  countries: z.array(countryOrUnit),
  defaultDestinationCountry: z.nullable(countryOrUnit),
  defaultOriginRegion: z._default(countryOrUnit, 'unit'),
  lockDestinationCountry: z.boolean(),
  lockOriginRegion: z.boolean(),
  maxStartDate: whole,
  startDayOffset: whole,
  hasAmountCancellation: z.boolean(),
  maxTravelCost: whole,
  maxTravelLength: positive,
  minTravelLength: positive,
  /** The longest single trip, for a policy that covers many. */
  maxTripDays: z.optional(positive),
  minPax: positive,
  maxPax: positive,
  minAge: whole,
  maxAge: whole,
  maxEndDate: whole,
  season: z.optional(z.strictObject({ from: monthDay, to: monthDay })),
  /** Required by the catalogue's check. Only versions loaded before residences were validated lack it. */
  insures: z.optional(insures),
})

/**
 * A restriction, such as an excess, reduces the cover. The catalogue's check requires a code of cover-codes.ts: only versions loaded before there
 * were codes lack it.
 */
const everyCoverage = { code: z.optional(text), name: inFive, restriction: z.optional(z.literal(true)) }
/** A limit in cents, or a value in words. */
const coverage = z.union([z.strictObject({ ...everyCoverage, limit: whole }), z.strictObject({ ...everyCoverage, value: inFive })])
export type Coverage = z.output<typeof coverage>

export const product = z.strictObject({
  code: productCode,
  id: whole,
  icon: z.string().check(z.regex(/^[a-z-]+$/)),
  name: inFive,
  type: inFive,
  description: inFive,
  characteristics: z.array(inFive),
  detailsFeatured: z.array(z.strictObject({ name: inFive, value: inFive })),
  coverages: z.array(coverage),
  accidentCapital: whole,
  settings,
  /** Required by the catalogue's check. Only versions loaded before policies could be changed lack it. */
  servicing: z.optional(servicing),
  commissionPercent: z.record(z.string(), z.number().check(z.int(), z.gte(0), z.lte(100))),
  tariff,
})
export type CatalogueProduct = z.output<typeof product>

/** The texts of every product, besides its own. */
export const texts = z.strictObject({ importantInfo: z.array(inFive), documents: z.array(inFive) })
export type CatalogueTexts = z.output<typeof texts>
