import { contradictions } from './config/contradictions.ts'
import { readSecretFiles, settingOfFile } from './config/secret-files.ts'
import { type Config, type ConfigProblem, settingNames, settings } from './config/settings.ts'

export { type Config, type ConfigProblem, settingNames } from './config/settings.ts'

/** Returns an environment without settings, as other processes of this user may read it. */
export function withoutSettings(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  const known = new Set(settingNames.flatMap(name => [name, `${name}_FILE`]))
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !known.has(name)))
}

/** Returns the configuration, or one readable problem for each wrong value. Nothing else reads the environment. */
export function readConfig(environment: Record<string, string | undefined>): Config | ConfigProblem[] {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const { values, problems: unread } = readSecretFiles(withNewNames(present))
  const parsed = settings.safeParse(values)
  const wrong = (parsed.error?.issues ?? []).map(issue => ({ name: String(issue.path[0]), problem: issue.message }))
  if (!parsed.success || unread.length > 0) {
    const named = [...wrong.map(({ name }) => name), ...unread.map(({ name }) => settingOfFile(name))]
    return [...unread, ...wrong, ...otherProblems(new Set(named), values)]
  }
  const production = parsed.data.NODE_ENV === 'production'
  const config: Config = { ...parsed.data, production, demo: parsed.data.DEMO ?? !production }
  const problems = [...contradictions(config)]
  return problems.length > 0 ? problems : config
}

/** Returns the problems of the other settings, except those that may only follow from the wrong ones. */
function otherProblems(wrong: ReadonlySet<string>, values: Record<string, string | undefined>): ConfigProblem[] {
  const rest = readConfig(Object.fromEntries(Object.entries(values).filter(([name]) => !wrong.has(name))))
  return Array.isArray(rest) ? rest.filter(({ name, problem }) => ![...wrong].some(each => name === each || problem.includes(each))) : []
}

/** Former names of settings, each valid until the next release. */
export const formerNames: ReadonlyMap<string, string> = new Map([['PAPERS_WAIT_MS', 'DOCUMENTS_WAIT_MS']])

type Environment = Record<string, string | undefined>

/** Returns the environment with each former name replaced. A value under the new name wins. */
function withNewNames(environment: Environment): Environment {
  const renamed = Object.entries(environment).flatMap(([name, value]) => {
    const current = formerNames.get(name)
    return current ? [[current, value] as const] : []
  })
  return { ...Object.fromEntries(renamed), ...environment }
}
