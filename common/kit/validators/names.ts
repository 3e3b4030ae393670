import { textRule } from './rule.ts'

/** A person's name has a letter of any script and no digit: a document number or a date stands in the wrong field. */
export const personName = textRule(
  text => /\p{L}/u.test(text) && !/\p{Nd}/u.test(text),
  () => ({ key: 'validation.personName' }),
)
