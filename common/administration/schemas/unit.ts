import * as z from 'zod/mini'
import { distributionRole, gatewayName } from '#common/business-unit/unit.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { byUuid, text } from '#common/kit/schemas/parts.ts'
import { locales } from '#common/kit/locales.ts'
import { quoteHours } from '#common/kit/validators/periods.ts'
import { byUuidWithReason, optionalText, pages, paging } from './parts.ts'

const whole = z.number().check(z.int(), z.gte(1))

/** Settings of a unit that the administration decides, with the rules of unit.ts. */
const unitFacts = z.strictObject({
  brandName: text(120),
  legalName: text(200),
  taxId: text(40),
  managementGroup: text(120),
  locale: z.enum(locales),
  country: z.number().check(z.int(), z.gte(1), z.lte(999)),
  timeZone: text(60),
  currency: text(3),
  showSecondLastName: z.enum(['0', '1']),
  accent: text(7),
  supportEmail: text(254),
  address: z.strictObject({
    street: text(200),
    zipCode: text(20),
    city: text(120),
    state: text(120),
    country: z.number().check(z.int(), z.gte(1), z.lte(999)),
  }),
  contactInfo: z.strictObject({ email: text(254), phone: text(40) }),
  billingInfo: z.strictObject({ iban: text(42), email: text(254) }),
  sessionIdleHours: z.nullable(whole.check(z.lte(720))),
  sessionDays: z.nullable(whole.check(z.lte(365))),
  /** People born earlier cannot be insured. Null means 1 January 1945. */
  earliestBirthDate: z._default(z.nullable(text(10)), null),
  /** Hours for which saved quotes keep their price, within the limit of their tariff. Null means a day. */
  quoteHours: z._default(z.nullable(whole.check(z.gte(quoteHours.least), z.lte(quoteHours.most))), null),
  /** True if the agency's own address gets a copy of the emails about changes and cancellations. */
  copiesOfChanges: z._default(z.boolean(), false),
  /** Selects the letter that answers a person: a broker decides, an agent passes on the insurer's decision. */
  distributionRole: z._default(distributionRole, 'agent'),
  /** True if the unit's users must sign in with a code besides the password. */
  twoFactorRequired: z.boolean(),
})
export type UnitFacts = z.output<typeof unitFacts>

const offer = {
  products: z
    .array(z.strictObject({ uuid: z.uuid(), enabled: z.boolean(), commissionPercent: z.number().check(z.int(), z.gte(0), z.lte(100)) }))
    .check(z.maxLength(500)),
  gateways: z.array(gatewayName).check(z.maxLength(2)),
}

const listed = z.object({
  uuid: z.uuid(),
  key: z.string(),
  brandName: z.string(),
  legalName: z.string(),
  managementGroup: z.string(),
  locale: z.enum(locales),
  suspended: z.boolean(),
  users: z.number(),
  products: z.number(),
  createdAt: z.string(),
})

export const unitDetail = z.object({
  uuid: z.uuid(),
  key: z.string(),
  suspended: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  users: z.number(),
  logo: z.string(),
  facts: unitFacts,
  products: z.array(
    z.object({ uuid: z.uuid(), code: z.string(), name: z.string(), enabled: z.boolean(), commissionPercent: z.nullable(z.number()) }),
  ),
  gateways: z.array(gatewayName),
  /** Sent back with a change, so that no concurrent change is overwritten. */
  version: z.number(),
})

export const listUnits = {
  summary: 'Lists business units by name or key, suspended or not',
  request: z.strictObject({ ...paging, searchData: z.optional(optionalText(200)), state: z.optional(z.enum(['active', 'suspended'])) }),
  response: z.object({ ...pages, units: z.array(listed) }),
} satisfies CallSchemas

export const viewUnit = {
  summary: 'Returns a business unit with its products, commissions and payment methods',
  request: byUuid,
  response: unitDetail,
} satisfies CallSchemas

export const createUnit = {
  summary: 'Creates a business unit; it sells nothing until it has products',
  request: z.strictObject({ key: text(31), ...unitFacts.shape }),
  response: unitDetail,
} satisfies CallSchemas

export const changeUnit = {
  summary: 'Changes a business unit; changed fields no longer follow the catalogue',
  request: z.strictObject({ uuid: z.uuid(), version: z.number().check(z.int()), ...unitFacts.shape }),
  response: unitDetail,
} satisfies CallSchemas

export const changeOffer = {
  summary: 'Sets the products, commissions and payment methods of a business unit',
  request: z.strictObject({ uuid: z.uuid(), version: z.number().check(z.int()), ...offer }),
  response: unitDetail,
} satisfies CallSchemas

export const suspendUnit = {
  summary: 'Suspends a business unit: sessions end, sign-ins and its token are refused',
  request: byUuidWithReason,
  response: z.object({ suspended: z.literal(true), sessionsEnded: z.number() }),
} satisfies CallSchemas

export const resumeUnit = {
  summary: 'Ends the suspension of a business unit',
  request: byUuidWithReason,
  response: z.object({ suspended: z.literal(false) }),
} satisfies CallSchemas
