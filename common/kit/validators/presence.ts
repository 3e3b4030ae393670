import { ageOn, readDate } from '#common/kit/dates.ts'
import type { Validator } from './rule.ts'

/** spec 5: fails on null, empty array, false or blank text. The number 0 is a value. */
export const required: Validator = value => (isPresent(value) ? null : { key: 'validation.required' })

/** spec 5: required if the person is 14 or older by the birth date in another field. */
export const requiredIfAgeOver14: Validator = (value, { today, params }) => {
  const birthDate = readDate(params?.birthDate)
  const binds = birthDate !== undefined && ageOn(birthDate, today) >= documentAge
  return binds && !isPresent(value) ? { key: 'validation.requiredIfAgeOver14', params: { age: documentAge } } : null
}

const documentAge = 14

/** spec 5: the list must not be empty. Anything else fails. */
export const requiredPartners: Validator = value =>
  Array.isArray(value) && value.length > 0 ? null : { key: 'validation.requiredPartners' }

export function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'string' || visible.test(value)
}

/** Blank text consists of white space and invisible characters such as the zero-width space. */
const visible = /[^\s\p{Cc}\p{Cf}]/u
