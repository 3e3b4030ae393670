import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { date } from '#common/kit/schemas/parts.ts'
import { leastDocument, leastSearched } from '../search.ts'
import { storedUser, text } from './person.ts'

export const knownPeople = {
  summary: 'Finds people of the unit’s policies by the start of a document number or name. Searches are audited',
  request: z.strictObject({
    // Sent in the body, because logs and browser histories keep URLs.
    search: text(100).check(z.minLength(leastSearched)),
    by: z.enum(['document', 'name']),
    /** The response has address and contact data for a policyholder, but not for a traveller. */
    as: z.enum(['policyholder', 'traveller', 'company']),
  }),
  response: z.object({
    people: z.array(z.omit(storedUser, { holder: true, traveller: true, identificationTypeId: true, premium: true })),
  }),
} satisfies CallSchemas

export const knownCompanions = {
  summary: 'Finds those who were insured together with a person by the unit’s sold policies. Finds are audited',
  request: z.strictObject({ docNumber: text(254).check(z.minLength(leastDocument)) }),
  response: z.object({
    /** At most eight travellers, without address and contact data. The most frequent companion comes first. */
    people: z.array(
      z.pick(storedUser, { name: true, middleName: true, lastName: true, birthDate: true, docNumber: true, documentKind: true }),
    ),
  }),
} satisfies CallSchemas

const given = z.optional(z.nullable(text(254)))

export const alreadyInsured = {
  summary: 'Finds the unit’s policies that insure one of these people by the same product on some of these days. Finds are audited',
  request: z.strictObject({
    productUUID: z.uuid(),
    startDate: date,
    endDate: date,
    /** A person is recognised by the document number, or by the full name and the birth date. */
    people: z
      .array(z.strictObject({ name: given, middleName: given, lastName: given, birthDate: z.optional(z.nullable(date)), docNumber: given }))
      .check(z.maxLength(1000)),
  }),
  response: z.object({
    /** At most ten policies, the earliest trip first. */
    policies: z.array(
      z.object({
        policyUuid: z.uuid(),
        policyNumber: z.string(),
        startDate: z.string(),
        endDate: z.string(),
        people: z.array(z.string()),
      }),
    ),
  }),
} satisfies CallSchemas
