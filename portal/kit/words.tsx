import type { ReactNode } from 'react'
import { create } from 'zustand'
import { intlTag, isLocale, type Locale, locales } from '#common/kit/locales.ts'
import { commonWords, type Message, say, type Words, wordsSeparator } from '#common/kit/words/words.ts'
import { catalogueOf, fallbackMessages } from 'virtual:messages'
import { sendLocale } from './ask.ts'
import { logOnly } from './log.ts'

export { problemIn, type Words } from '#common/kit/words/words.ts'

/** The files of messages that the pages have requested. Each has those of one feature or several. */
const files = new Set([commonWords])
const year = 31_536_000
/** The current language, which stays while another one loads. `isMissing` is true if no language could be loaded. */
const useLanguage = create<{ words: Words | undefined; locale: Locale; isMissing: boolean }>()(() => ({
  words: undefined,
  locale: firstLocale(),
  isMissing: false,
}))

/** The current language, or the one that is loading to replace it. */
let nextLocale: Locale = useLanguage.getState().locale

/** Switches to a language once it is loaded, unless another one was requested meanwhile. Returns false if it cannot be loaded. */
async function loadLanguage(locale: Locale): Promise<boolean> {
  nextLocale = locale
  const words = await wordsIn(locale).catch(logOnly(`loading ${locale}`))
  if (nextLocale !== locale) return true
  if (!words) {
    nextLocale = useLanguage.getState().locale
    return false
  }
  sendLocale(locale)
  document.documentElement.lang = intlTag(locale)
  useLanguage.setState({ words, locale })
  return true
}

/** Loads the first language, or English if that fails. */
export async function loadFirstLanguage(): Promise<void> {
  const isMissing = !(await loadLanguage(nextLocale)) && !(await loadLanguage('en-EN'))
  useLanguage.setState({ isMissing })
}

/** Switches to a language, and stores it in the cookie of spec 4 for a year. Returns false if it cannot be loaded. */
export async function switchLanguage(locale: Locale): Promise<boolean> {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `i18n_redirected=${locale}; Max-Age=${year}; Path=/; SameSite=Lax${secure}`
  return locale === nextLocale || loadLanguage(locale)
}

/** Shows a language for now, without storing it. */
export const showLanguage = (locale: Locale): Promise<boolean> => (locale === nextLocale ? Promise.resolve(true) : loadLanguage(locale))

export const localeNow = (): Locale => useLanguage.getState().locale

/** Renders its children once the first language is loaded. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const ready = useLanguage(({ words }) => words !== undefined)
  const isMissing = useLanguage(({ isMissing }) => isMissing)
  if (ready) return children
  return isMissing ? <NoMessages /> : null
}

/** Shown if no language could be loaded, so its messages are part of the portal's first file. */
function NoMessages() {
  const { locale } = useLanguage()
  const words: Words = (id, ...[params]) => say(fallbackMessages[locale]?.[id] ?? id, intlTag(locale), params)
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-3 p-6 text-center">
      <h1 className="text-xl font-semibold">{words('shell.wrong')}</h1>
      <p className="text-quiet">{words('shell.error', { message: words('shell.offline') })}</p>
      <a href="/" className="mt-2 underline underline-offset-4">
        {words('shell.home')}
      </a>
    </main>
  )
}

async function wordsIn(locale: Locale): Promise<Words> {
  const loaded = await Promise.all([...files].map(file => catalogueOf(locale, file)))
  const catalogue = (catalogues[locale] ??= {})
  for (const { messages } of loaded) Object.assign(catalogue, messages)
  return (id, ...[params]) => say(catalogue[id] ?? missing(id), intlTag(locale), params)
}

/** Returns the id of a message whose feature was not loaded, and logs this bug on the console. */
function missing(id: string): string {
  // oxlint-disable-next-line no-console -- the console is the log of the browser
  console.error(`no words for ${id}`)
  return id
}

/** The loaded messages of each language. */
const catalogues: Partial<Record<Locale, Record<string, Message>>> = {}

/**
 * Loads the messages of features, now and after each change of the language. A page's route requests them in its loader, as one file: `loader: () =>
 * loadMessages('policies+validation')`.
 */
export async function loadMessages(...names: string[]): Promise<void> {
  for (const name of names) if (!isLoadedWithOthers(name)) files.add(name)
  // A language that is loading may have begun without these features. If it cannot be loaded, the current one stays.
  if (nextLocale !== localeNow()) await wordsIn(nextLocale).catch(() => undefined)
  await wordsIn(localeNow())
}

const isLoadedWithOthers = (feature: string): boolean => [...files].some(file => file.split(wordsSeparator).includes(feature))

/** Returns the language in the cookie; undefined if that is not one of the portal's. */
export function cookieLocale(): Locale | undefined {
  const chosen = /(?:^|; )i18n_redirected=([^;]*)/.exec(document.cookie)?.[1]
  return isLocale(chosen) ? chosen : undefined
}

/** Returns the first language: the one in which the service sent the page, by the cookie, the browser's languages and its own default. */
function firstLocale(): Locale {
  const served = document.querySelector<HTMLMetaElement>('meta[name=portolan-locale]')?.content
  if (isLocale(served)) return served
  // The development server does not choose.
  const preferred = navigator.languages.map(tag => locales.find(locale => locale.slice(0, 2) === tag.slice(0, 2).toLowerCase()))
  return cookieLocale() ?? preferred.find(Boolean) ?? 'en-EN'
}

export const useWords = (): { words: Words; locale: Locale } => {
  const { words, locale } = useLanguage()
  return { words: requireLoaded(words), locale }
}

/** Returns the current messages, for code outside components. */
export const wordsNow = (): Words => requireLoaded(useLanguage.getState().words)

function requireLoaded(words: Words | undefined): Words {
  if (!words) throw new Error('no words yet')
  return words
}
