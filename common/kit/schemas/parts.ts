import * as z from 'zod/mini'

/** Schemas that the calls of several features share. */

/** A text that must not be empty. */
export const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))

/** A request without fields. */
export const nothing = z.strictObject({})

/** A request that names one record. */
export const byUuid = z.strictObject({ uuid: z.uuid() })
