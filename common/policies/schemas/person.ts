import * as z from 'zod/mini'
import { names } from '#common/kit/schemas/names.ts'
import { isCountry } from '#common/geography/countries.ts'
import { date } from '#common/kit/schemas/parts.ts'
import { byKind, documentKinds } from '#common/people/person.ts'

/** Rejects control characters, which databases cannot store and screens misread. */
export const text = (most: number) =>
  z.string().check(
    z.maxLength(most),
    z.refine(value => !/[\p{Cc}\p{Cs}]/u.test(value)),
  )
export const field = (most = 254) => z.optional(z.nullable(text(most)))

const documentKind = z.enum(documentKinds)

/** The facts of a person as they are sent. A saved quote may lack a date. */
const sent = byKind({
  text: field(),
  documentNumber: field(),
  day: z.optional(z.nullable(z.union([z.literal(''), date]))),
  country: z.optional(z.nullable(z.int().check(z.refine(isCountry)))),
  documentKind: z.optional(z.nullable(documentKind)),
})

/** The facts of a person as they are stored. Missing texts are empty; a null country means the unit's. */
const storedFacts = byKind({
  text: z.string(),
  documentNumber: z.string(),
  day: z.nullable(z.string()),
  country: z.nullable(z.number()),
  documentKind,
})

/** The known facts of a person, as the rules of changes take them. */
export const knownFacts = byKind({
  text: z.optional(z.nullable(z.string())),
  documentNumber: z.optional(z.nullable(z.string())),
  day: z.optional(z.nullable(z.string())),
  country: z.optional(z.nullable(z.number())),
  documentKind: z.optional(z.nullable(documentKind)),
})

/** A user of `users` (spec 7). */
export const user = z
  .strictObject({ ...sent, identificationTypeId: z.optional(z.nullable(z.number())) })
  .register(names, { id: 'PersonSent' })

/** A person as stored. */
export const storedUser = z
  .object({
    holder: z.boolean(),
    traveller: z.boolean(),
    ...storedFacts,
    identificationTypeId: z.number(),
    premium: z.nullable(z.number()),
  })
  .register(names, { id: 'Person' })
