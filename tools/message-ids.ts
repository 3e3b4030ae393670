import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import PO from 'pofile'

const folder = join(import.meta.dirname, '../common/locales')

/** Returns all messages of one language, feature by feature. */
export function messagesOf(locale: string): Map<string, string> {
  return new Map(itemsOf(locale).map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? '']))
}

/** Returns the ids that a language defines more than once, as the last definition silently wins. */
export function duplicateIds(locale: string): string[] {
  const ids = itemsOf(locale).map(({ msgid }) => msgid)
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function itemsOf(locale: string) {
  const features = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return features.flatMap(({ name }) => PO.parse(readFileSync(join(folder, name, `${locale}.po`), 'utf8')).items)
}

/** Returns the parameters of a message, and whether each is a number that is counted or formatted. */
export function parametersOf(text: string): Map<string, 'string' | 'number'> {
  const found = new Map<string, 'string' | 'number'>()
  // A compiled message is a list of texts and of [name, kind, options]. Options are messages; `#` is the counted number.
  const walk = (message: unknown): void => {
    // Safe: a part that is a list has this format.
    if (Array.isArray(message)) for (const part of message) if (Array.isArray(part)) take(part as [string, string?, unknown?])
  }
  const take = ([name, kind, options]: [string, string?, unknown?]): void => {
    if (name === '#') return
    const counted = kind !== undefined && kind !== 'select' && kind !== 'date'
    found.set(name, counted ? 'number' : (found.get(name) ?? 'string'))
    if (typeof options === 'object' && options !== null) Object.values(options).forEach(walk)
  }
  walk(compileMessage(text))
  return found
}

/** Writes the ids as types, so that a wrong id or a missing parameter does not compile. */
function declarations(messages: Map<string, string>): string {
  const lines = [...messages].map(([id, text]) => {
    const parameters = [...parametersOf(text)].map(([name, type]) => `${name}: ${type === 'number' ? 'number' : 'string | number'}`)
    return `  '${id}': ${parameters.length > 0 ? `{ ${parameters.join('; ')} }` : 'undefined'}`
  })
  return `/** Made by tools/message-ids.ts from the English catalogues. */\nexport type Messages = {\n${lines.join('\n')}\n}\nexport type MessageId = keyof Messages\n`
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(folder, 'ids.d.ts'), declarations(messagesOf('en-EN')))
