import type { Locale } from '#common/kit/locales.ts'
import { showToast } from './overlay/notices.ts'
import { cookieLocale, switchLanguage, wordsNow } from './words.tsx'

/** Each language by its own name. */
export const languageNames: Record<Locale, string> = {
  'en-EN': 'English',
  'es-ES': 'Español',
  'fr-FR': 'Français',
  'it-IT': 'Italiano',
  'pt-PT': 'Português',
}

/** The key under which the portal notes the language that it took from a unit. Any other language in the cookie is the user's own choice. */
const key = 'portolan.followed-language'

/** spec 4: switches to the unit's language and keeps it in the cookie, unless the user chose one. */
export async function followUnit(locale: Locale): Promise<void> {
  const chosen = cookieLocale()
  if (chosen && chosen !== localStorage.getItem(key)) return
  localStorage.setItem(key, locale)
  await switchLanguage(locale)
}

/** Switches to the language that the user chose. */
export async function chooseLanguage(locale: Locale): Promise<void> {
  localStorage.removeItem(key)
  if (!(await switchLanguage(locale))) showToast({ severity: 'error', summary: wordsNow()('shell.offline') })
}
