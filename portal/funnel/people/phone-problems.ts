import type { Problem } from '#common/kit/problems.ts'

/** The rules say of a number that its calling code is wrong. The form says it once, at the field of the code. */
export function phoneProblems(problems: readonly Problem[]): Problem[] {
  const wrong = problems.find(({ path, key }) => path === 'phoneNumber' && key === 'validation.invalidPhonePrefix')
  if (!wrong) return [...problems]
  return [...problems.filter(problem => problem !== wrong && problem.path !== 'phonePrefix'), { ...wrong, path: 'phonePrefix' }]
}
