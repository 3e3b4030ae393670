import { problemIn, type Words } from '#portal/kit/words.tsx'
import type { FieldMessage } from './field.tsx'

/** Returns what a rule's problem says at its field. */
export const problemAt = (words: Words, problem: Parameters<typeof problemIn>[1]): FieldMessage =>
  problem.key === 'validation.required' || problemIn(words, problem)
