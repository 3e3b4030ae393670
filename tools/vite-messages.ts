import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import PO from 'pofile'
import type { Plugin } from 'vite'
import { locales } from '../common/kit/locales.ts'

const folder = join(import.meta.dirname, '../common/locales')
const prefix = 'virtual:messages/'

/**
 * `virtual:messages/es-ES/session` is that room's catalogue in that language, compiled: the browser gets no parser, and of five languages
 * and many rooms only what a page needs. `virtual:messages` finds them.
 */
export function messages(): Plugin {
  return {
    name: 'portolan-messages',
    resolveId: id => (id === 'virtual:messages' || id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (id === '\0virtual:messages') return finder()
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const [locale = '', room = ''] = id.slice(prefix.length + 1).split('/')
      const path = join(folder, room, `${locale}.po`)
      this.addWatchFile(path)
      return `export const messages = ${JSON.stringify(compiled(path))}`
    },
  }
}

const compiled = (path: string): Record<string, unknown> =>
  Object.fromEntries(PO.parse(readFileSync(path, 'utf8')).items.map(({ msgid, msgstr }) => [msgid, compileMessage(msgstr[0] ?? '')]))

function finder(): string {
  const rooms = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const names = rooms.flatMap(room => locales.map(locale => `${locale}/${room.name}`))
  return `export const catalogues = {\n${names.map(name => `  '${name}': () => import('${prefix}${name}')`).join(',\n')}\n}`
}
