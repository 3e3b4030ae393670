import { refuseFields } from '#common/kit/refusals.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'

/** A name as it is kept; refused when there is none. */
export function personName(given: string): string {
  const problems = fieldProblems('name', given, ['required'], { locale: 'en-EN', today: '' })
  if (problems.length > 0) throw refuseFields(problems)
  return given.trim()
}
