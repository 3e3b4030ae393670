import type { Locale } from '#common/kit/locales.ts'
import { chooseLanguage } from '#portal/kit/language.ts'
import { logOnly } from '#portal/kit/log.ts'
import { localeNow } from '#portal/kit/words.tsx'

/** Switches to the language that the user chose, with the names that the service translates. */
export async function changeLanguage(locale: Locale): Promise<void> {
  await chooseLanguage(locale)
  if (localeNow() !== locale) return
  await import('./user-choices.ts').then(({ reloadNames }) => reloadNames(), logOnly('loading settings'))
}

/** Each theme with its icon and name. */
export const themes = [
  ['system', 'settings', 'shell.theme.system'],
  ['light', 'sun', 'shell.theme.light'],
  ['dark', 'moon', 'shell.theme.dark'],
] as const
