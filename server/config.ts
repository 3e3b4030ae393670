import { contradictions } from './config/contradictions.ts'
import { withNewNames } from './config/former-names.ts'
import { readSecretFiles, settingOfFile } from './config/secret-files.ts'
import { type Config, type ConfigFault, settings } from './config/settings.ts'

export { type Config, type ConfigFault, settingNames } from './config/settings.ts'

/** The only reader of the environment: either a whole configuration, or one readable fault for each wrong value. */
export function readConfig(environment: Record<string, string | undefined>): Config | ConfigFault[] {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const { given, faults: unread } = readSecretFiles(withNewNames(present))
  const parsed = settings.safeParse(given)
  const wrong = (parsed.error?.issues ?? []).map(issue => ({ name: String(issue.path[0]), fault: issue.message }))
  if (!parsed.success || unread.length > 0) {
    const named = [...wrong.map(({ name }) => name), ...unread.map(({ name }) => settingOfFile(name))]
    return [...unread, ...wrong, ...faultsBeside(new Set(named), given)]
  }
  const production = parsed.data.NODE_ENV === 'production'
  const config: Config = { ...parsed.data, production, demo: parsed.data.DEMO ?? !production }
  const faults = [...contradictions(config)]
  return faults.length > 0 ? faults : config
}

/** What else there is to mend, as far as it can be told while these are wrong. */
function faultsBeside(wrong: ReadonlySet<string>, given: Record<string, string | undefined>): ConfigFault[] {
  const rest = readConfig(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))))
  return Array.isArray(rest) ? rest.filter(({ name, fault }) => ![...wrong].some(each => name === each || fault.includes(each))) : []
}
