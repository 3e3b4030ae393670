import type { Words } from '#portal/kit/words.tsx'
import { errorMessage, refusedFields } from './error-message.ts'

/** Returns the error message and the message of each refused field, one per line. */
export const errorLines = (error: unknown, words: Words): string =>
  [...new Set([errorMessage(error, words), ...refusedFields(error).map(({ message }) => message)])].join('\n')
