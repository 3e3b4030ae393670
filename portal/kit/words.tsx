import { type I18n, setupI18n } from '@lingui/core'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { intlTag, isLocale, type Locale, locales } from '#common/kit/locales.ts'
import type { MessageId, Messages } from '../../common/locales/ids'
import { catalogues } from 'virtual:messages'
import { askIn } from './ask.ts'

export type Words = <Id extends MessageId>(id: Id, ...params: Messages[Id] extends undefined ? [] : [Messages[Id]]) => string

/** The rooms that every page needs; a page's own come with it. */
const asked = new Set(['ui', 'session', 'shell', 'products'])
const year = 31_536_000
/** One catalogue for each language that was chosen since the page was opened. */
const spoken = new Map<Locale, I18n>()

const WordsContext = createContext<{ words: Words; locale: Locale; speak: (locale: Locale) => void } | undefined>(undefined)

/** Nothing is shown before the words are there; while another language loads, the present one stays. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const [locale, speak] = useState(chosenLocale)
  const [spoken, setSpoken] = useState<{ words: Words; locale: Locale }>()
  useEffect(() => {
    let current = true
    void loadWords(locale).then(words => {
      if (!current) return
      askIn(locale)
      document.documentElement.lang = intlTag(locale)
      setSpoken({ words, locale })
    })
    return () => {
      current = false
    }
  }, [locale])
  const context = useMemo(() => spoken && { ...spoken, speak: (wanted: Locale) => speak(remembered(wanted)) }, [spoken])
  return context ? <WordsContext value={context}>{children}</WordsContext> : null
}

/** The cookie of spec 4: a year, the whole site. */
function remembered(locale: Locale): Locale {
  document.cookie = `i18n_redirected=${locale}; Max-Age=${year}; Path=/; SameSite=Lax`
  return locale
}

async function loadWords(locale: Locale): Promise<Words> {
  const catalogue = await prepared(locale)
  return (id, ...[params]) => catalogue._(id, params as Record<string, unknown> | undefined)
}

/**
 * A page's own words, asked for in its route's loader: `loader: () => wordsOf('policies', 'validation')`. They are there when it is shown, and
 * come along when the language changes.
 */
export async function wordsOf(...rooms: string[]): Promise<void> {
  for (const room of rooms) asked.add(room)
  await Promise.all([...spoken.keys()].map(prepared))
}

async function prepared(locale: Locale): Promise<I18n> {
  const tag = intlTag(locale)
  const catalogue = spoken.get(locale) ?? setupI18n({ locale: tag, messages: { [tag]: {} } })
  spoken.set(locale, catalogue)
  const rooms = await Promise.all([...asked].map(async room => catalogues[`${locale}/${room}`]?.()))
  for (const room of rooms) if (room) catalogue.load(tag, room.messages)
  return catalogue
}

/** The user's own choice, else the browser's wish; a cookie that names no language of ours counts for nothing. */
export function chosenLocale(): Locale {
  const chosen = /(?:^|; )i18n_redirected=([^;]*)/.exec(document.cookie)?.[1]
  if (isLocale(chosen)) return chosen
  const wished = navigator.languages.map(tag => locales.find(locale => locale.slice(0, 2) === tag.slice(0, 2).toLowerCase()))
  return wished.find(Boolean) ?? 'en-EN'
}

export function useWords() {
  const context = use(WordsContext)
  if (!context) throw new Error('no words above this')
  return context
}
