import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import PO from 'pofile'
import type { Plugin } from 'vite'
import { locales } from '../common/kit/locales.ts'
import { commonFeatures, commonWords, wordsSeparator } from '#common/kit/words/words.ts'
import { pageChunks } from '../portal/page-chunks.ts'

const folder = join(import.meta.dirname, '../common/locales')
const prefix = 'virtual:messages/'

/**
 * Compiles the messages of each feature in each language. The browser needs no parser, and loads only a page's features in one language. Messages of
 * every page are one file, because a request costs more than a few messages. The folder's name is a hash of all files, so that the portal's first
 * file need not name each of a hundred files. `virtual:messages` finds them.
 */
export function messages(): Plugin {
  let serving = false
  return {
    name: 'portolan-messages',
    configResolved(config) {
      serving = config.command === 'serve'
    },
    resolveId: id => (id === 'virtual:messages' || id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (id === '\0virtual:messages') return (serving ? eachByName() : byFolder(folderName())) + fallbackMessages()
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const [locale = '', feature = ''] = id.slice(prefix.length + 1).split('/')
      for (const each of featuresOf(feature)) this.addWatchFile(pathOf(locale, each))
      return moduleOf(locale, feature)
    },
    generateBundle() {
      const name = folderName()
      for (const [locale, feature] of all())
        this.emitFile({ type: 'asset', fileName: `${name}/${locale}/${feature}.js`, source: moduleOf(locale, feature) })
    },
  }
}

const all = (): [locale: string, feature: string][] => {
  const features = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory() && !commonFeatures.includes(entry.name))
  const ofPages = Object.values(pageChunks).flatMap(({ words }) => words)
  const files = new Set([commonWords, ...features.map(({ name }) => name), ...ofPages])
  return [...files].flatMap(file => locales.map((locale): [string, string] => [locale, file]))
}

const featuresOf = (file: string): string[] => (file === commonWords ? commonFeatures : file.split(wordsSeparator))

const pathOf = (locale: string, feature: string): string => join(folder, feature, `${locale}.po`)

const moduleOf = (locale: string, feature: string): string =>
  `export const messages = ${JSON.stringify(Object.assign({}, ...featuresOf(feature).map(each => compiled(locale, each))))}`

function compiled(locale: string, feature: string): Record<string, unknown> {
  const { items } = PO.parse(readFileSync(pathOf(locale, feature), 'utf8'))
  return Object.fromEntries(items.map(({ msgid, msgstr }) => [msgid, compileMessage(msgstr[0] ?? '')]))
}

/** Returns the messages to show when no catalogue can be loaded (portal/kit/words.tsx). They are in the portal's first file, so they are few. */
function fallbackMessages(): string {
  const ids = ['shell.wrong', 'shell.error', 'shell.offline', 'shell.home']
  const each = locales.map(locale => [locale, Object.fromEntries(ids.map(id => [id, compiled(locale, 'shell')[id]]))])
  return `\nexport const fallbackMessages = ${JSON.stringify(Object.fromEntries(each))}`
}

function folderName(): string {
  const hash = createHash('sha256')
  for (const [locale, feature] of all()) hash.update(moduleOf(locale, feature))
  return `assets/words-${hash.digest('base64url').slice(0, 8)}`
}

/**
 * Reports a catalogue that an update of the portal removed (portal/shell/build/new-build.ts). Browsers remember a failed file, so the retry uses
 * another URL.
 */
const byFolder = (name: string): string => `
let failures = 0
const gone = error => {
  failures += 1
  const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: error })
  if (!dispatchEvent(event)) return new Promise(() => {})
  throw error
}
export const catalogueOf = (locale, feature) => import(/* @vite-ignore */ \`/${name}/\${locale}/\${feature}.js\${failures ? '?' + failures : ''}\`).catch(gone)`

/** Serves the messages from their sources during development. */
const eachByName = (): string => `
const catalogues = {
${all()
  .map(([locale, feature]) => `  '${locale}/${feature}': () => import('${prefix}${locale}/${feature}')`)
  .join(',\n')}
}
export const catalogueOf = (locale, feature) => catalogues[locale + '/' + feature]()`
