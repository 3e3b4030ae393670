import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageOf, locales } from '#common/kit/locales.ts'
import { loadWords } from '#server/kit/words.ts'

let built: Promise<string> | undefined

/** A release brings it ready made, as it has no Vite. */
const ready = join(import.meta.dirname, '../../dist/card-form.js')

/** The browser's half as one plain script: made when first asked for, then kept. */
export function shimScript(): Promise<string> {
  built ??= existsSync(ready) ? Promise.resolve(readFileSync(ready, 'utf8')) : make()
  return built
}

async function make(): Promise<string> {
  const { build } = await import('vite')
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    define: { ruleMessages: JSON.stringify(ruleMessages()) },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, 'shim/stripe.mts'), formats: ['iife'], name: 'StripeStandIn' },
    },
  })
  const [first] = Array.isArray(result) ? result : [result]
  if (!first || !('output' in first)) throw new Error('no script was made')
  return first.output[0].code
}

/** The product's own messages for faults of a card; numbers in them are put in by the browser. */
function ruleMessages(): Record<string, Record<string, string>> {
  const words = loadWords()
  const keys = ['required', 'invalidCreditCard', 'invalidCreditCardExpiration', 'cardSecurityCode'].map(name => `validation.${name}`)
  return Object.fromEntries(
    locales.map(locale => [languageOf(locale), Object.fromEntries(keys.map(key => [key, words(locale)(key, { digits: '{digits}' })]))]),
  )
}
