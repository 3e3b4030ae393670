import * as z from 'zod/mini'

/** Parts of the schemas that the pages of a policy and of quotes share. */

/** Accepts any text: a malformed token gets the same 404 as an unknown one. */
export const token = z.string()

/** The agency's brand, with its colour and the colour of text on it. */
export const brand = z.object({
  name: z.string(),
  legalName: z.string(),
  accent: z.string(),
  onAccent: z.string(),
  phone: z.string(),
  email: z.string(),
})

/** A line of the price. `translated`: the label is in the language of the request; else it is the tax's own name, as in the documents. */
export const line = { kind: z.enum(['travel', 'cancellation', 'tax']), label: z.nullable(z.string()), translated: z.boolean() }
