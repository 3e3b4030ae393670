import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { leastSearched } from '../search.ts'
import { storedUser, text } from './policy.ts'

export const knownPeople = {
  summary: 'Finds people of the unit’s policies by the start of a document number or name. Searches are audited',
  request: z.strictObject({
    // Sent in the body, because logs and browser histories keep URLs.
    search: text(100).check(z.minLength(leastSearched)),
    by: z.enum(['document', 'name']),
    /** The response has address and contacts for a policyholder, but not for a traveller. */
    as: z.enum(['policyholder', 'traveller', 'company']),
  }),
  response: z.object({
    people: z.array(z.omit(storedUser, { holder: true, traveller: true, identificationTypeId: true, premium: true })),
  }),
} satisfies CallSchemas
