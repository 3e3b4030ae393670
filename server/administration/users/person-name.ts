import { refuseFields } from '#common/kit/refusals.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'

/** Returns a name as it is stored. Throws if it is empty. */
export function personName(text: string): string {
  const problems = fieldProblems('name', text, ['required'], { locale: 'en-EN', today: '' })
  if (problems.length > 0) throw refuseFields(problems)
  return text.trim()
}
