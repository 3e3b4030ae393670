import * as z from 'zod/mini'
import { isCountry } from '#common/geography/countries.ts'
import { date } from '#common/kit/schemas/parts.ts'
import { documentKinds } from '../types.ts'

/** Rejects control characters, which databases cannot hold and screens misread. */
export const text = (most: number) =>
  z.string().check(
    z.maxLength(most),
    z.refine(value => !/[\p{Cc}\p{Cs}]/u.test(value)),
  )
export const field = (most = 254) => z.optional(z.nullable(text(most)))

const documentKind = z.enum(documentKinds)

/** A user of `users` (spec 7). */
export const user = z.strictObject({
  name: field(),
  middleName: field(),
  lastName: field(),
  /** A saved quote may lack it. */
  birthDate: z.optional(z.nullable(z.union([z.literal(''), date]))),
  email: field(),
  phonePrefix: field(),
  phoneNumber: field(),
  zipCode: field(),
  address: field(),
  state: field(),
  city: field(),
  docNumber: field(),
  documentKind: z.optional(z.nullable(documentKind)),
  /** Where the policyholder lives. Its rules for postal code, phone and national document hold. Default: the unit's country. */
  residenceCountryId: z.optional(z.nullable(z.int().check(z.refine(isCountry)))),
  companyName: field(),
  identificationTypeId: z.optional(z.nullable(z.number())),
})

/** A person as stored. */
export const storedUser = z.object({
  holder: z.boolean(),
  traveller: z.boolean(),
  name: z.string(),
  middleName: z.string(),
  lastName: z.string(),
  companyName: z.string(),
  birthDate: z.nullable(z.string()),
  docNumber: z.string(),
  documentKind,
  /** Null for the unit's country. */
  residenceCountryId: z.nullable(z.number()),
  identificationTypeId: z.number(),
  email: z.string(),
  phonePrefix: z.string(),
  phoneNumber: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
  premium: z.nullable(z.number()),
})
