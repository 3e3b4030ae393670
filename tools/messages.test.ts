import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { refusals } from '#common/kit/refusals.ts'
import { templates } from '#server/mail/templates.ts'
import { messagesOf, parametersOf } from './message-ids.ts'

const root = join(import.meta.dirname, '..')
const catalogues = new Map(locales.map(locale => [locale, messagesOf(locale)]))
const english = catalogues.get('en-EN') ?? new Map<string, string>()

const sources = ['common', 'server', 'portal'].flatMap(side =>
  readdirSync(join(root, side), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$/.test(name))
    .map(name => readFileSync(join(root, side, name), 'utf8')),
)
const code = sources.join('\n')

/** Ids that are put together from data, with the data they are put together from. */
const composed = new Set([
  ...Object.keys(refusals).map(refusal => `refusal.${refusal}`),
  ...Object.entries(templates).flatMap(([name, { parts }]) => ['subject', ...parts].map(part => `mail.${name}.${part}`)),
])

describe.each(locales)('%s', locale => {
  const messages = catalogues.get(locale) ?? new Map<string, string>()

  test('has every message, and none that English has not', () => {
    expect([...messages.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  })

  test('none is empty, and each takes the same parameters', () => {
    for (const [id, text] of messages) {
      expect(text.trim(), id).not.toBe('')
      expect([...parametersOf(text).keys()].toSorted(), id).toEqual([...parametersOf(english.get(id) ?? '').keys()].toSorted())
    }
  })

  test('none was left in English', () => {
    if (locale === 'en-EN') return
    const words = (text: string) => text.replaceAll(/\{[^}]*\}/g, '').match(/\p{L}{3,}/gu) ?? []
    const left = [...messages].filter(([id, text]) => text === english.get(id) && words(text).length > 1).map(([id]) => id)
    expect(left).toEqual([])
  })
})

test('each file holds its own room’s messages', () => {
  for (const id of english.keys()) expect(readdirSync(join(root, 'common/locales'))).toContain(id.split('.')[0])
})

test('no message is unused', () => {
  const unused = [...english.keys()].filter(id => !composed.has(id) && !code.includes(`'${id}'`))
  expect(unused).toEqual([])
})

test('no message is missing', () => {
  const rooms = [...new Set([...english.keys()].map(id => id.split('.')[0]))].join('|')
  const used = [...code.matchAll(new RegExp(`(?:words|t|key:|labelKey:|say)\\s*\\(?\\s*'((?:${rooms})\\.[\\w.]+)'`, 'g'))].map(
    match => match[1] ?? '',
  )
  const missing = [...new Set([...used, ...composed])].filter(id => !english.has(id))
  expect(missing).toEqual([])
})
