import { type ReactNode, useEffect } from 'react'
import { create } from 'zustand'
import { intlTag, isLocale, type Locale, locales } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { type Message, say } from '#common/kit/words/message.ts'
import { commonWords } from '#common/kit/words/common-messages.ts'
import type { MessageId, Messages } from '../../common/locales/ids'
import { catalogueOf, lastWords } from 'virtual:messages'
import { askIn } from './ask.ts'
import { logOnly } from './log.ts'

export type Words = <Id extends MessageId>(id: Id, ...params: Messages[Id] extends undefined ? [] : [Messages[Id]]) => string

/** A rule names its message, whatever that asks for. */
export const problemIn = (words: Words, { key, params }: Problem): string =>
  (words as (id: MessageId, params?: Problem['params']) => string)(key as MessageId, params)

const asked = new Set([commonWords])
const year = 31_536_000
/** The language of the moment: there before anything is shown, and while another one loads, the present one stays. */
const useSpoken = create<{ words: Words | undefined; locale: Locale; speechless: boolean }>()(() => ({
  words: undefined,
  locale: chosenLocale(),
  speechless: false,
}))

/** What is to be spoken: the language of the moment, but while another one loads. */
let wanted: Locale = useSpoken.getState().locale

/** True once it is spoken, or another one was wanted meanwhile. A language that cannot be had leaves the present one as it is. */
async function show(locale: Locale): Promise<boolean> {
  wanted = locale
  const words = await wordsIn(locale).catch(logOnly(`loading ${locale}`))
  if (wanted !== locale) return true
  if (!words) {
    wanted = useSpoken.getState().locale
    return false
  }
  askIn(locale)
  document.documentElement.lang = intlTag(locale)
  useSpoken.setState({ words, locale })
  return true
}

/** In English where the language of the moment cannot be had; without either there is only to say so. */
async function begin(): Promise<void> {
  const speechless = !(await show(wanted)) && !(await show('en-EN'))
  useSpoken.setState({ speechless })
}

/** Speaks this language from now on, and the next year: the cookie of spec 4, for the whole site. False where it could not be had. */
export async function speakNow(locale: Locale): Promise<boolean> {
  document.cookie = `i18n_redirected=${locale}; Max-Age=${year}; Path=/; SameSite=Lax`
  return locale === wanted || show(locale)
}

export const localeNow = (): Locale => useSpoken.getState().locale

/** Nothing is shown before there are words for it. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const ready = useSpoken(({ words }) => words !== undefined)
  const speechless = useSpoken(({ speechless }) => speechless)
  useEffect(() => void begin(), [])
  if (ready) return children
  return speechless ? <Speechless /> : null
}

/** The last that can be said: what stands in the portal's first file. */
function Speechless() {
  const { locale } = useSpoken()
  const words: Words = (id, ...[params]) => say(lastWords[locale]?.[id] ?? id, intlTag(locale), params)
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
  const rooms = await Promise.all([...asked].map(room => catalogueOf(locale, room)))
  const catalogue = (spoken[locale] ??= {})
  for (const { messages } of rooms) Object.assign(catalogue, messages)
  return (id, ...[params]) => say(catalogue[id] ?? unknown(id), intlTag(locale), params)
}

/** A room that was not asked for: that is a fault of the portal, and is told where faults are looked for. */
function unknown(id: string): string {
  // oxlint-disable-next-line no-console
  console.error(`no words for ${id}`)
  return id
}

/** The messages of each language that was spoken since the page was opened. */
const spoken: Partial<Record<Locale, Record<string, Message>>> = {}

/**
 * A page's own words, asked for in its route's loader: `loader: () => wordsOf('policies', 'validation')`. They are there when it is shown, and
 * come along when the language changes.
 */
export async function wordsOf(...rooms: string[]): Promise<void> {
  for (const room of rooms) asked.add(room)
  // One that is on its way may have begun without these; where it cannot be had, the present one stays.
  if (wanted !== localeNow()) await wordsIn(wanted).catch(() => undefined)
  await wordsIn(localeNow())
}

/** A cookie that names no language of ours counts for nothing. */
export function cookieLocale(): Locale | undefined {
  const chosen = /(?:^|; )i18n_redirected=([^;]*)/.exec(document.cookie)?.[1]
  return isLocale(chosen) ? chosen : undefined
}

/** What was chosen before, else the browser's wish. */
function chosenLocale(): Locale {
  // The service chose by the same wishes, and by its own default; while the portal is being made, nobody did.
  const told = document.querySelector<HTMLMetaElement>('meta[name=portolan-locale]')?.content
  const wished = navigator.languages.map(tag => locales.find(locale => locale.slice(0, 2) === tag.slice(0, 2).toLowerCase()))
  return cookieLocale() ?? (isLocale(told) ? told : wished.find(Boolean)) ?? 'en-EN'
}

export const useWords = (): { words: Words; locale: Locale } => {
  const { words, locale } = useSpoken()
  return { words: demanded(words), locale }
}

/** For what is said outside the page's components. */
export const wordsNow = (): Words => demanded(useSpoken.getState().words)

function demanded(words: Words | undefined): Words {
  if (!words) throw new Error('no words yet')
  return words
}
