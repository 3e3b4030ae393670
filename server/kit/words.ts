import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import PO from 'pofile'
import { intlTag, type Locale, locales } from '#common/kit/locales.ts'
import { type Message, type Params, say } from '#common/kit/words/message.ts'

const folder = join(import.meta.dirname, '../../common/locales')

export type Words = (id: string, params?: Params) => string

let loaded: Map<Locale, Words> | undefined

/** Loads the message catalogues of all five languages, for errors, mail and documents. The portal uses them, too. A process reads them once. */
export function loadWords(): (locale: Locale) => Words {
  const byLocale = (loaded ??= new Map(locales.map(locale => [locale, wordsIn(locale)])))
  // Safe: the map holds every locale.
  return locale => byLocale.get(locale) as Words
}

function wordsIn(locale: Locale): Words {
  const texts = readTexts(locale)
  const compiled = new Map<string, Message>()
  return (id, params) => {
    const text = texts.get(id)
    if (text === undefined) throw new Error(`no message '${id}' in ${locale}`)
    // Safe: Message describes what compileMessage returns.
    const message = compiled.get(id) ?? (compileMessage(text) as Message)
    compiled.set(id, message)
    return say(message, intlTag(locale), params)
  }
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
