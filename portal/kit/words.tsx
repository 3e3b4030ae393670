import { type ReactNode, useEffect } from 'react'
import { create } from 'zustand'
import { intlTag, isLocale, type Locale, locales } from '#common/kit/locales.ts'
import { type Message, say } from '#common/kit/words/message.ts'
import type { MessageId, Messages } from '../../common/locales/ids'
import { catalogueOf } from 'virtual:messages'
import { askIn } from './ask.ts'

export type Words = <Id extends MessageId>(id: Id, ...params: Messages[Id] extends undefined ? [] : [Messages[Id]]) => string

/** The rooms that every page needs; a page's own come with it. */
const asked = new Set(['ui', 'session', 'shell'])
const year = 31_536_000
/** The messages of each language that was chosen since the page was opened. */
const spoken = new Map<Locale, Map<string, Message>>()

/** The language of the moment: there before anything is shown, and while another one loads, the present one stays. */
const useSpoken = create<{ words: Words | undefined; locale: Locale }>()(() => ({ words: undefined, locale: chosenLocale() }))

let wanted: Locale = useSpoken.getState().locale

async function show(locale: Locale): Promise<void> {
  wanted = locale
  const words = await loadWords(locale)
  if (wanted !== locale) return
  askIn(locale)
  document.documentElement.lang = intlTag(locale)
  useSpoken.setState({ words, locale })
}

/** Speaks this language from now on, and the next year: the cookie of spec 4, for the whole site. */
export async function speakNow(locale: Locale): Promise<void> {
  document.cookie = `i18n_redirected=${locale}; Max-Age=${year}; Path=/; SameSite=Lax`
  if (locale !== wanted) await show(locale)
}

export const localeNow = (): Locale => useSpoken.getState().locale

/** Nothing is shown before there are words for it. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const ready = useSpoken(({ words }) => words !== undefined)
  useEffect(() => void show(wanted), [])
  return ready ? children : null
}

async function loadWords(locale: Locale): Promise<Words> {
  const catalogue = await prepared(locale)
  return (id, ...[params]) => say(catalogue.get(id) ?? id, intlTag(locale), params)
}

/**
 * A page's own words, asked for in its route's loader: `loader: () => wordsOf('policies', 'validation')`. They are there when it is shown, and
 * come along when the language changes.
 */
export async function wordsOf(...rooms: string[]): Promise<void> {
  for (const room of rooms) asked.add(room)
  await Promise.all([...spoken.keys()].map(prepared))
}

async function prepared(locale: Locale): Promise<ReadonlyMap<string, Message>> {
  const catalogue = spoken.get(locale) ?? new Map<string, Message>()
  spoken.set(locale, catalogue)
  const rooms = await Promise.all([...asked].map(room => catalogueOf(locale, room)))
  for (const { messages } of rooms) for (const [id, message] of Object.entries(messages)) catalogue.set(id, message)
  return catalogue
}

/** A cookie that names no language of ours counts for nothing. */
export function cookieLocale(): Locale | undefined {
  const chosen = /(?:^|; )i18n_redirected=([^;]*)/.exec(document.cookie)?.[1]
  return isLocale(chosen) ? chosen : undefined
}

/** What was chosen before, else the browser's wish. */
function chosenLocale(): Locale {
  const wished = navigator.languages.map(tag => locales.find(locale => locale.slice(0, 2) === tag.slice(0, 2).toLowerCase()))
  return cookieLocale() ?? wished.find(Boolean) ?? 'en-EN'
}

export function useWords(): { words: Words; locale: Locale } {
  const { words, locale } = useSpoken()
  if (!words) throw new Error('no words yet')
  return { words, locale }
}
