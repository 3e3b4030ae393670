import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import PO from 'pofile'

const folder = join(import.meta.dirname, '../common/locales')

/** All messages of one language, room by room. */
export function messagesOf(locale: string): Map<string, string> {
  const rooms = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const items = rooms.flatMap(room => PO.parse(readFileSync(join(folder, room.name, `${locale}.po`), 'utf8')).items)
  return new Map(items.map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? '']))
}

/** The parameters that a message takes, and whether each is a number (it is counted or formatted as one). */
export function parametersOf(text: string): Map<string, 'string' | 'number'> {
  const found = new Map<string, 'string' | 'number'>()
  // A compiled message is a list of texts and of [name, kind, options]; options are messages again, and `#` the number that was counted.
  const walk = (message: unknown): void => {
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

/** Typed ids: a wrong id or a missing parameter does not compile. */
function declarations(messages: Map<string, string>): string {
  const lines = [...messages].map(([id, text]) => {
    const parameters = [...parametersOf(text)].map(([name, type]) => `${name}: ${type === 'number' ? 'number' : 'string | number'}`)
    return `  '${id}': ${parameters.length > 0 ? `{ ${parameters.join('; ')} }` : 'undefined'}`
  })
  return `/** Made by tools/message-ids.ts from the English catalogues. */\nexport type Messages = {\n${lines.join('\n')}\n}\nexport type MessageId = keyof Messages\n`
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(folder, 'ids.d.ts'), declarations(messagesOf('en-EN')))
