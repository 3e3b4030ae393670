import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { leastSearched } from '../search.ts'
import { storedUser, text } from './policy.ts'

export const knownPeople = {
  summary: 'People whom the unit knows from its policies, by the beginning of a document number or name; each look is written down',
  ask: z.strictObject({
    // In the body: logs and browser histories keep addresses.
    search: text(100).check(z.minLength(leastSearched)),
    by: z.enum(['document', 'name']),
    /** The reply has address and contacts for a policyholder, but not for a traveller. */
    as: z.enum(['policyholder', 'traveller', 'company']),
  }),
  answer: z.object({
    people: z.array(z.omit(storedUser, { holder: true, traveller: true, identificationTypeId: true, premium: true })),
  }),
} satisfies CallSchemas
