import * as z from 'zod/mini'
import { quoteHours } from '#common/kit/validators/periods.ts'
import { inFive } from './texts.ts'

/** A tariff as data: the figures of docs/rating.md under its names. Money is in cents, percents and basis points are integers. */

const whole = z.number().check(z.int(), z.gte(0))
const percent = z.number().check(z.int(), z.gte(0), z.lte(1000))
/** [from, to, percent], both ends included. */
const row = z.tuple([whole, whole, percent])
const zoneId = z.string().check(z.regex(/^Z\d+$/))
const perZone = <T extends z.ZodMiniType>(value: T) => z.record(zoneId, value)

const bands = z.strictObject({ kind: z.literal('bands'), upToDays: z.array(whole).check(z.minLength(1)), net: perZone(z.array(whole)) })
const perUnitOfTime = { net: perZone(whole), discount: z.array(row), minimumPerTraveller: z.optional(whole) }
const perDay = z.strictObject({ kind: z.literal('perDay'), ...perUnitOfTime })
const perMonth = z.strictObject({ kind: z.literal('perMonth'), monthDays: whole.check(z.gte(1)), ...perUnitOfTime })
const term = z.strictObject({
  kind: z.literal('term'),
  months: whole.check(z.gte(1)),
  net: perZone(z.strictObject({ individual: whole, couple: whole, family: whole })),
})
const none = z.strictObject({ kind: z.literal('none') })

/** [up to, figure]. The last row also applies to higher values. */
const step = z.tuple([whole, whole])

const cancellation = z.strictObject({
  percent,
  leadUpTo: z.array(step).check(z.minLength(1)),
  costUpTo: z.array(step).check(z.minLength(1)),
  ages: z.array(row).check(z.minLength(1)),
  minimumPerTraveller: z.optional(whole),
  window: z.strictObject({ immediateDays: whole, otherwiseLeastLeadDays: whole, waitHours: whole }),
})

export const tariff = z.strictObject({
  version: z.string().check(z.regex(/^\d{4}-\d{2}(?:\.\d+)?$/)),
  base: z.discriminatedUnion('kind', [bands, perDay, perMonth, term, none]),
  ages: z.array(row).check(z.minLength(1)),
  infantsFree: z.optional(z.strictObject({ underAge: whole, perAdult: whole })),
  cancellation: z.optional(cancellation),
  groups: z.optional(z.array(row)),
  minimumPerPolicy: z.optional(whole),
  /** The maximum hours for which a unit may keep the price of a saved quote. The default is a day. */
  quoteHours: z.optional(z.number().check(z.int(), z.gte(quoteHours.least), z.lte(quoteHours.most))),
})
export type Tariff = z.output<typeof tariff>

const country = z.number().check(z.int(), z.gte(1), z.lte(999))

const zone = z.strictObject({
  id: zoneId,
  name: z.strictObject({ en: z.string(), es: z.string(), fr: z.string(), it: z.string(), pt: z.string() }),
  home: z.optional(z.literal(true)),
  alsoHome: z.optional(z.record(z.string(), z.array(country))),
  countries: z.optional(z.array(country)),
  rest: z.optional(z.literal(true)),
})
export type Zone = z.output<typeof zone>

export const zones = z.strictObject({ zones: z.array(zone).check(z.minLength(1)), excludedCountries: z.array(country) })
export type Zones = z.output<typeof zones>

/** The treatment of a tax line when a part of the premium is refunded. A full refund includes all taxes. */
const onReturn = z.enum(['give', 'keep'])

/**
 * `label` is the tax's own name in documents, and `name` its name on a client's page. The catalogue's check requires `onReturn` and `name`: only
 * versions loaded before lack them.
 */
const everyLine = { code: z.string(), label: z.string(), name: z.optional(inFive), onReturn: z.optional(onReturn) }
const byRate = z.strictObject({ ...everyLine, rateBp: whole, sharePercent: percent })
const byCapital = z.strictObject({ ...everyLine, perMillionOfAccidentCapital: whole, minimum: whole })
const taxLine = z.union([byRate, byCapital])
export type TaxLine = z.output<typeof taxLine>

/** By country of origin, as ISO 3166-1 numeric text. */
export const taxes = z.record(z.string().check(z.regex(/^\d{1,3}$/)), z.array(taxLine))
export type Taxes = z.output<typeof taxes>

/** The people whom a product insures: those who live in the trip's country of origin, or anyone. */
export const insures = z.enum(['origin', 'anyone'])
export type Insures = z.output<typeof insures>

/** The terms of a product after its sale (decision 0045): the refund when a policy ends, and the changes allowed on the trip. */
export const servicing = z.strictObject({
  /** The refund until the day before departure: everything, always or in the first `freeLookDays` after the sale. */
  before: z.enum(['full', 'freeLook']),
  /** The refund on the trip: nothing, or this percentage of the price of the unused days. */
  during: z.union([z.literal('none'), z.number().check(z.int(), z.gte(1), z.lte(100))]),
  /** People may join and leave until this many hours before the first day. */
  namesUntilHours: z.optional(whole),
  /** True if the trip may be extended while it lasts. */
  extend: z.optional(z.literal(true)),
  /** True if people may join, and destinations may be added, during the term. */
  midTerm: z.optional(z.literal(true)),
})
export type Servicing = z.output<typeof servicing>

/**
 * A statutory right of withdrawal, by the policyholder's country of residence. `months` is the minimum length of the policy, `begun` the refund once
 * cover has begun at the client's wish.
 */
const right = z.strictObject({
  id: z.string().check(z.regex(/^[A-Z]{2}\d{2}$/)),
  for: z.optional(z.array(country).check(z.minLength(1))),
  except: z.optional(z.array(country).check(z.minLength(1))),
  channel: z.enum(['any', 'distance']),
  months: whole,
  days: whole,
  /** A last day on a Saturday, Sunday or holiday stays the last day, or moves to the next working day. */
  weekend: z.enum(['stays', 'moves']),
  begun: z.enum(['full', 'share']),
})
export type Right = z.output<typeof right>

const constants = z.strictObject({
  freeLookDays: whole,
  undoMinutes: whole,
  reinstateDays: whole,
  /** The hours in which a product with cancellation cover can be reinstated. Later, an ill client would buy it back. */
  reinstateHoursWithCancellation: whole,
  /** The minimum amount charged by card. */
  leastCardCents: whole,
})

/** A duty on the commission of a country's agencies, which the insurer withholds and owes to the state. */
const commissionDuty = z.strictObject({ code: z.string(), label: z.string(), rateBp: whole.check(z.gte(1), z.lte(10_000)) })

export const afterSale = z.strictObject({
  constants,
  rights: z.array(right),
  /** By country, as ISO 3166-1 numeric text. */
  commissionDuties: z.optional(z.record(z.string().check(z.regex(/^\d{1,3}$/)), commissionDuty)),
  /** Public holidays by country, as ISO 3166-1 numeric text. */
  holidays: z.record(z.string().check(z.regex(/^\d{1,3}$/)), z.array(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)))),
})
export type AfterSale = z.output<typeof afterSale>
