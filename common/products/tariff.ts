import * as z from 'zod/mini'

/** A tariff as data: docs/rating.md's figures under its names. Money in cents, percents and basis points as whole numbers. */

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

/** [up to, figure]: the last row also covers higher values. */
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

const byRate = z.strictObject({ code: z.string(), label: z.string(), rateBp: whole, sharePercent: percent })
const byCapital = z.strictObject({ code: z.string(), label: z.string(), perMillionOfAccidentCapital: whole, minimum: whole })
const taxLine = z.union([byRate, byCapital])
export type TaxLine = z.output<typeof taxLine>

/** By country of origin, as ISO 3166-1 numeric text. */
export const taxes = z.record(z.string().check(z.regex(/^\d{1,3}$/)), z.array(taxLine))
export type Taxes = z.output<typeof taxes>
