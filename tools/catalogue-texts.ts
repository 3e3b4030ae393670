import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Language, type Locale, languageOf } from '#common/kit/locales.ts'
import { messagesOf } from './message-ids.ts'

const folder = join(import.meta.dirname, '../catalogue')

/** Returns the demo catalogue's texts of one language, each by its file and its path in it. */
function catalogueTextsOf(language: Language): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.json'))
  return new Map(files.flatMap(name => textsIn(JSON.parse(readFileSync(join(folder, name), 'utf8')), language, name)))
}

/** Returns all texts that people read in one language: messages by id, and the catalogue's texts by path. */
export const allTextsOf = (locale: Locale): Map<string, string> => new Map([...messagesOf(locale), ...catalogueTextsOf(languageOf(locale))])

/** A text is an object with all five languages. */
function textsIn(value: unknown, language: Language, path: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  if (['en', 'es', 'fr', 'it', 'pt'].every(each => each in value))
    return entries.flatMap(([key, text]) => (key === language ? [[path, String(text)]] : []))
  return entries.flatMap(([key, inner]) => textsIn(inner, language, `${path}.${key}`))
}
