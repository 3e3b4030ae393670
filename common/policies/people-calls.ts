import * as z from 'zod/mini'
import { call } from '#common/kit/call.ts'
import { storedUser, text } from './calls.ts'

/** From how many letters on people are looked for, and how many are told at most. */
export const leastSearched = 3
export const mostKnown = 8

export const knownPeople = call({
  method: 'POST',
  path: '/api/people',
  summary: 'People whom the unit knows from its policies, by the beginning of a document number or name; each look is written down',
  // And the permission to see policies: those of sold ones, of budgets, or of both.
  needs: 'b2b-products-sell',
  ask: z.strictObject({
    // Not in the address, which logs and histories keep.
    search: text(100).check(z.minLength(leastSearched)),
    by: z.enum(['document', 'name']),
    /** The policyholder is told with address and contacts, whoever travels without. */
    as: z.enum(['policyholder', 'traveller', 'company']),
  }),
  answer: z.object({
    people: z.array(z.omit(storedUser, { holder: true, traveller: true, identificationTypeId: true, premium: true })),
  }),
})
