import type { Locale } from '#common/kit/locales.ts'
import { showToast } from './overlay/notices.ts'
import { cookieLocale, speakNow, wordsNow } from './words.tsx'

/** What the portal itself wrote into the cookie, following a unit: any other language in it is the user's own choice, and stays. */
const place = 'portolan.followed-language'

/** spec 4: a unit's locale that differs from the present one is switched to and kept in the cookie, unless the user chose for himself. */
export async function followUnit(locale: Locale): Promise<void> {
  const chosen = cookieLocale()
  if (chosen && chosen !== localStorage.getItem(place)) return
  localStorage.setItem(place, locale)
  await speakNow(locale)
}

/** The user's own choice. */
export async function chooseLanguage(locale: Locale): Promise<void> {
  localStorage.removeItem(place)
  if (!(await speakNow(locale))) showToast({ severity: 'error', summary: wordsNow()('shell.offline') })
}
