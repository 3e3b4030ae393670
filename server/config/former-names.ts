/** Former names of settings, each valid until the next release. */
export const formerNames: ReadonlyMap<string, string> = new Map([['PAPERS_WAIT_MS', 'DOCUMENTS_WAIT_MS']])

type Environment = Record<string, string | undefined>

/** Returns the environment with each former name replaced. A value under the new name wins. */
export function withNewNames(environment: Environment): Environment {
  const renamed = Object.entries(environment).flatMap(([name, value]) => {
    const current = formerNames.get(name)
    return current ? [[current, value] as const] : []
  })
  return { ...Object.fromEntries(renamed), ...environment }
}
