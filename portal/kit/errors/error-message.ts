import { NotAFile, Refused, Unreachable } from '#portal/kit/ask.ts'
import type { Words } from '#portal/kit/words.tsx'

/** Returns the message for a failed request: the service's own text if it refused. */
export function errorMessage(error: unknown, words: Words): string {
  if (error instanceof Refused) return error.message
  if (error instanceof NotAFile) return words('ui.alert.not_a_file')
  return words(error instanceof Unreachable ? 'shell.offline' : 'ui.alert.failed')
}

/** Returns the fields that the service refused, with its paths and messages; empty for any other failure. */
export const refusedFields = (error: unknown): readonly RefusedField[] => (error instanceof Refused && error.failure.fields) || []

type RefusedField = NonNullable<Refused['failure']['fields']>[number]

/** True if the service refused with this code. */
export const isRefusedAs = (error: unknown, code: string): error is Refused => error instanceof Refused && error.failure.error === code

/** Returns the error message and the message of each refused field, one per line. */
export const errorLines = (error: unknown, words: Words): string =>
  [...new Set([errorMessage(error, words), ...refusedFields(error).map(({ message }) => message)])].join('\n')
