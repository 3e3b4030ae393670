import * as z from 'zod/mini'

const text = z.string().check(z.minLength(1), z.maxLength(2000))

/** A text in the five languages. */
export const inFive = z.strictObject({ en: text, es: text, fr: text, it: text, pt: text })
export type InFive = z.output<typeof inFive>

export const productCode = z.string().check(z.regex(/^[A-Z]{3}$/))
