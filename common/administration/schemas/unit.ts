import * as z from 'zod/mini'
import { gatewayName } from '#common/business-unit/unit.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { optionalText, pages, paging, reason, text } from './parts.ts'

const whole = z.number().check(z.int(), z.gte(1))

/** What the administration decides about a unit. Whether it is well-formed the rules say (unit.ts). */
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
  /** Whoever works for it signs in with a code beside the password. */
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
  /** Sent back with a change: whoever changed it meanwhile is not overwritten. */
  version: z.number(),
})

export const listUnits = {
  summary: 'The business units, by name or key, suspended or not',
  ask: z.strictObject({ ...paging, searchData: z.optional(optionalText(200)), state: z.optional(z.enum(['active', 'suspended'])) }),
  answer: z.object({ ...pages, units: z.array(listed) }),
} satisfies CallSchemas

export const viewUnit = {
  summary: 'One business unit, with what it sells, its commissions and how it may be paid',
  ask: z.strictObject({ uuid: z.uuid() }),
  answer: unitDetail,
} satisfies CallSchemas

export const createUnit = {
  summary: 'A new business unit; it sells nothing until products are given to it',
  ask: z.strictObject({ key: text(31), ...unitFacts.shape }),
  answer: unitDetail,
} satisfies CallSchemas

export const changeUnit = {
  summary: 'Change what is known of a business unit; what the catalogue says of it no longer counts for what was changed here',
  ask: z.strictObject({ uuid: z.uuid(), version: z.number().check(z.int()), ...unitFacts.shape }),
  answer: unitDetail,
} satisfies CallSchemas

export const changeOffer = {
  summary: 'What a business unit sells, at which commission, and how it may be paid',
  ask: z.strictObject({ uuid: z.uuid(), version: z.number().check(z.int()), ...offer }),
  answer: unitDetail,
} satisfies CallSchemas

export const suspendUnit = {
  summary: 'Suspend a business unit: nobody of it signs in, sessions end, its token is refused',
  ask: z.strictObject({ uuid: z.uuid(), reason }),
  answer: z.object({ suspended: z.literal(true), sessionsEnded: z.number() }),
} satisfies CallSchemas

export const resumeUnit = {
  summary: 'End the suspension of a business unit',
  ask: z.strictObject({ uuid: z.uuid(), reason }),
  answer: z.object({ suspended: z.literal(false) }),
} satisfies CallSchemas
