import * as z from 'zod/mini'
import { defaultOriginRegion } from '#common/geography/countries.ts'
import { locales } from '#common/kit/locales.ts'
import { quoteHours } from '#common/kit/validators/periods.ts'

/** A business unit in the catalogue's data (spec 1). */

const text = z.string().check(z.minLength(1), z.maxLength(2000))
const country = z.number().check(z.int(), z.gte(1), z.lte(999))
const whole = z.number().check(z.int(), z.gte(1))
const address = z.strictObject({ street: text, zipCode: text, city: text, state: text, country })

/** An agent passes on the insurer's decision; a broker decides in its own name. */
export const distributionRole = z.enum(['agent', 'broker'])

export const gatewayName = z.enum(['Deferred', 'StripeV2'])

const unit = z.strictObject({
  key: z.string().check(z.regex(/^[a-z][a-z0-9-]{1,30}$/)),
  brandName: text,
  legalName: text,
  taxId: text,
  locale: z.enum(locales),
  timeZone: text,
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  country: z._default(country, defaultOriginRegion),
  showSecondLastName: z.enum(['0', '1']),
  managementGroup: text,
  address,
  contactInfo: z.strictObject({ email: z.email(), phone: text }),
  billingInfo: z.strictObject({ iban: text, email: z.email() }),
  supportEmail: z.email(),
  accent: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  logo: z.string().check(z.regex(/^[\w-]+(?:\/[\w-]+)*\.svg$/)),
  gateways: z.array(gatewayName).check(z.minLength(1)),
  sessionIdleHours: z.optional(whole),
  sessionDays: z.optional(whole),
  /** People born earlier cannot be insured. The default is 1 January 1945 (spec 5). */
  earliestBirthDate: z.optional(z.iso.date()),
  /** Hours for which saved quotes keep their price, within the limit of their tariff. The default is a day. */
  quoteHours: z.optional(z.number().check(z.int(), z.gte(quoteHours.least), z.lte(quoteHours.most))),
  /** True if the agency’s own address gets a copy of emails to policyholders about changes and ends. */
  copiesOfChanges: z.optional(z.boolean()),
  /** The role in which the agency answers persons who ask about their data. The default is agent. */
  distributionRole: z.optional(distributionRole),
  /** True if its users must use two-step verification. */
  twoFactorRequired: z.optional(z.boolean()),
})
export type CatalogueUnit = z.output<typeof unit>
export const units = z.array(unit).check(z.minLength(1))
