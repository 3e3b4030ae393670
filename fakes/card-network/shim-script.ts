import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemIn } from '#common/kit/words/words.ts'
import { languageOf, locales } from '#common/kit/locales.ts'

let built: Promise<string> | undefined

/** A release contains the built script, because it has no Vite. */
const ready = join(import.meta.dirname, '../../dist/card-form.js')

/** Returns the browser half as one plain script, built at the first call and cached. */
export function shimScript(): Promise<string> {
  built ??= existsSync(ready) ? Promise.resolve(readFileSync(ready, 'utf8')) : make()
  return built
}

async function make(): Promise<string> {
  const { build } = await import('vite')
  const messages = await ruleMessages()
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    define: { ruleMessages: JSON.stringify(messages) },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, 'shim/stripe.mts'), formats: ['iife'], name: 'FakeStripe' },
    },
  })
  const [first] = Array.isArray(result) ? result : [result]
  if (!first || !('output' in first)) throw new Error('no script was made')
  return first.output[0].code
}

/** Returns the portal's messages for invalid cards. The browser inserts their numbers. */
async function ruleMessages(): Promise<Record<string, Record<string, string>>> {
  const { loadWords } = await import('#server/kit/words.ts')
  const words = loadWords()
  const keys = ['required', 'invalidCreditCard', 'invalidCreditCardExpiration', 'cardSecurityCode'].map(name => `validation.${name}`)
  return Object.fromEntries(
    locales.map(locale => [
      languageOf(locale),
      Object.fromEntries(keys.map(key => [key, problemIn(words(locale), { key, params: { digits: '{digits}' } })])),
    ]),
  )
}
