import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import PO from 'pofile'
import { intlTag, type Locale, locales } from '#common/kit/locales.ts'
import { type Message, type Params, say } from '#common/kit/words/message.ts'

const folder = join(import.meta.dirname, '../../common/locales')

export type Words = (id: string, params?: Params) => string

/** The catalogues of all five languages: the same that the portal shows, for errors, mail and documents. */
export function loadWords(): (locale: Locale) => Words {
  const known = new Map(locales.map(locale => [locale, speak(locale)]))
  return locale => known.get(locale) as Words
}

function speak(locale: Locale): Words {
  const texts = readTexts(locale)
  const known = new Map<string, Message>()
  return (id, params) => {
    const text = texts.get(id)
    if (text === undefined) throw new Error(`no message '${id}' in ${locale}`)
    const message = known.get(id) ?? (compileMessage(text) as Message)
    known.set(id, message)
    return say(message, intlTag(locale), params)
  }
}

function readTexts(locale: Locale): Map<string, string> {
  const texts = new Map<string, string>()
  for (const room of readdirSync(folder, { withFileTypes: true })) {
    if (!room.isDirectory()) continue
    for (const item of PO.parse(readFileSync(join(folder, room.name, `${locale}.po`), 'utf8')).items)
      texts.set(item.msgid, item.msgstr[0] ?? '')
  }
  return texts
}
