import * as z from 'zod/mini'
import { tariff } from './tariff.ts'

/** The files of a catalogue folder: the insurer, its units, its products, in five languages (decision 0006). */

const text = z.string().check(z.minLength(1), z.maxLength(2000))
export const inFive = z.strictObject({ en: text, es: text, fr: text, it: text, pt: text })
export type InFive = z.output<typeof inFive>

const country = z.number().check(z.int(), z.gte(1), z.lte(999))
const whole = z.number().check(z.int(), z.gte(0))

export const insurer = z.strictObject({ brandName: text, legalName: text, taxId: text, supportEmail: z.email(), emergencyPhone: text })

const countryOrUnit = z.union([country, z.literal('unit')])

export const settings = z.strictObject({
  countries: z.array(countryOrUnit),
  defaultDestinationCountry: z.nullable(countryOrUnit),
  defaultOriginRegion: countryOrUnit,
  lockDestinationCountry: z.boolean(),
  lockOriginRegion: z.boolean(),
  maxStartDate: whole,
  startDayOffset: whole,
  hasAmountCancellation: z.boolean(),
  maxTravelCost: whole,
  maxTravelLength: whole,
  minTravelLength: whole,
  minPax: whole,
  maxPax: whole,
  minAge: whole,
  maxAge: whole,
  maxEndDate: whole,
  season: z.optional(z.strictObject({ from: z.string().check(z.regex(/^\d\d-\d\d$/)), to: z.string().check(z.regex(/^\d\d-\d\d$/)) })),
})

const coverage = z.union([z.strictObject({ name: inFive, limit: whole }), z.strictObject({ name: inFive, value: inFive })])

export const product = z.strictObject({
  code: z.string().check(z.regex(/^[A-Z]{3}$/)),
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
  commissionPercent: z.record(z.string(), z.number().check(z.int(), z.gte(0), z.lte(100))),
  tariff,
})
export type CatalogueProduct = z.output<typeof product>

/** What every product says beside its own texts. */
export const texts = z.strictObject({ importantInfo: z.array(inFive), documents: z.array(inFive) })
export type CatalogueTexts = z.output<typeof texts>
