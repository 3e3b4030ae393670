import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'

const address = z.object({ street: z.string(), zipCode: z.string(), city: z.string(), state: z.string(), country: z.number() })
const status = z.object({ uuid: z.uuid() })

/** The business unit settings of spec 1 and 3. */
export const businessUnitSettings = z.object({
  uuid: z.uuid(),
  brandName: z.string(),
  legalName: z.string(),
  taxId: z.string(),
  address,
  contactInfo: z.object({ email: z.string(), phone: z.string() }),
  /** Bank details are present only if the caller may see the agency's profile. */
  billingInfo: z.object({ iban: z.optional(z.string()), email: z.string() }),
  logo: z.string(),
  accent: z.string(),
  managementGroup: z.string(),
  policyStatusTypes: z.object({ purchased: status, budgeted: status, cancelled: status }),
  configuration: z.object({
    locale: z.enum(['en-EN', 'es-ES', 'fr-FR', 'it-IT', 'pt-PT']),
    countriesList: z.array(z.object({ id: z.number(), alpha2: z.string(), name: z.string() })),
    country: z.number(),
    showSecondLastName: z.enum(['0', '1']),
    timeZone: z.string(),
    currency: z.string(),
    earliestBirthDate: z.string(),
    quoteHours: z.number(),
  }),
})

export const settings = {
  summary: 'Returns the settings of the business unit, with country names in the caller’s language',
  request: z.object({}),
  response: businessUnitSettings,
} satisfies CallSchemas
