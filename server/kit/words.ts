import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import PO from 'pofile'
import { intlTag, type Locale, locales } from '#common/kit/locales.ts'
import { type Message, say, type Words, type WordsOfData } from '#common/kit/words/words.ts'
import { wantSoon } from './work/later.ts'

const folder = join(import.meta.dirname, '../../common/locales')

const loaded = new Map<Locale, Words>()

/** Returns the messages of a language, for errors, mail and documents. The portal uses them, too. A process reads each language once. */
function wordsOf(locale: Locale): Words {
  const known = loaded.get(locale)
  if (known) return known
  const words = wordsIn(locale)
  loaded.set(locale, words)
  return words
}

/** Reads all five languages soon after the start. */
export function loadWords(): (locale: Locale) => Words {
  for (const locale of locales) wantSoon(() => wordsOf(locale))
  return wordsOf
}

function wordsIn(locale: Locale): Words {
  const texts = readTexts(locale)
  const compiled = new Map<string, Message>()
  const words: WordsOfData = (id, params) => {
    const text = texts.get(id)
    if (text === undefined) throw new Error(`no message '${id}' in ${locale}`)
    // Safe: Message describes what compileMessage returns.
    const message = compiled.get(id) ?? (compileMessage(text) as Message)
    compiled.set(id, message)
    return say(message, intlTag(locale), params)
  }
  return words
}

function readTexts(locale: Locale): Map<string, string> {
  const texts = new Map<string, string>()
  for (const feature of readdirSync(folder, { withFileTypes: true })) {
    if (!feature.isDirectory()) continue
    for (const item of PO.parse(readFileSync(join(folder, feature.name, `${locale}.po`), 'utf8')).items)
      texts.set(item.msgid, item.msgstr[0] ?? '')
  }
  return texts
}
