import type { Problem } from '#common/kit/problems.ts'

/** Moves a number's problem with its calling code to the field of the code, once. */
export function phoneProblems(problems: readonly Problem[]): Problem[] {
  const wrong = problems.find(({ path, key }) => path === 'phoneNumber' && key === 'validation.invalidPhonePrefix')
  if (!wrong) return [...problems]
  return [...problems.filter(problem => problem !== wrong && problem.path !== 'phonePrefix'), { ...wrong, path: 'phonePrefix' }]
}
