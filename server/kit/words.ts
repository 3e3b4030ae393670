import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import PO from 'pofile'
import { intlTag, type Locale, locales } from '#common/kit/locales.ts'

const folder = join(import.meta.dirname, '../../common/locales')

export type Words = (id: string, params?: Record<string, string | number>) => string

/** The catalogues of all five languages: the same that the portal shows, for errors, mail and documents. */
export function loadWords(): (locale: Locale) => Words {
  const known = new Map(locales.map(locale => [locale, speak(locale)]))
  return locale => known.get(locale) as Words
}

function speak(locale: Locale): Words {
  const texts = readTexts(locale)
  const i18n = setupI18n({ locale: intlTag(locale), messages: { [intlTag(locale)]: {} } })
  return (id, params) => {
    const text = texts.get(id)
    if (text === undefined) throw new Error(`no message '${id}' in ${locale}`)
    if (typeof text === 'string') {
      const compiled = compileMessage(text)
      texts.set(id, compiled)
      i18n.load(intlTag(locale), { [id]: compiled })
    }
    return i18n._(id, params)
  }
}

function readTexts(locale: Locale): Map<string, string | ReturnType<typeof compileMessage>> {
  const texts = new Map<string, string | ReturnType<typeof compileMessage>>()
  for (const room of readdirSync(folder, { withFileTypes: true })) {
    if (!room.isDirectory()) continue
    for (const item of PO.parse(readFileSync(join(folder, room.name, `${locale}.po`), 'utf8')).items)
      texts.set(item.msgid, item.msgstr[0] ?? '')
  }
  return texts
}
