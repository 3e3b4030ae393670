import type { Problem } from '#common/kit/problems.ts'
import { isDoubtful } from '#portal/geography/places.ts'
import { businessAddress, ownAddress, type PeopleForm } from '../people-form.ts'

export const doubtRule = 'doubtfulCode'

/** The doubt concerns a code in a province: another code or province needs another confirmation. */
export const confirmedCode = (province: string, code: string): string => `${province} ${code}`

/** Questions a postal code that is unlikely for the province, until the agent confirms it. */
export function codeQuestions(form: PeopleForm, country: number): Problem[] {
  const names = form.policyHolderType === '3' ? businessAddress : ownAddress
  const [province, code] = [form[names.province], form[names.zipCode]]
  if (form.confirmedZipCode === confirmedCode(province, code) || !isDoubtful(country, province, code)) return []
  return [{ path: names.zipCode, rule: doubtRule, key: 'funnel.zipCode_question', params: { code, province } }]
}
