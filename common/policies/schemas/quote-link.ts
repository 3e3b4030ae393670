import * as z from 'zod/mini'
import { lines } from '#common/kit/schemas/parts.ts'
import { longestMessage, mostAlternatives } from '../quote-link.ts'

/** The quotes that one link opens, and the agency's words to the client. */
export const sharedQuotes = {
  alternatives: z.optional(z.nullable(z.array(z.uuid()).check(z.maxLength(mostAlternatives)))),
  message: z.optional(z.nullable(lines(longestMessage))),
}
