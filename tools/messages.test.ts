import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'
import { type Locale, locales } from '#common/kit/locales.ts'
import { taskKinds } from '#common/policies/schemas/day.ts'
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

/** Ids composed from data. */
const composed = new Set([
  ...Object.keys(refusals).map(refusal => `refusal.${refusal}`),
  ...taskKinds.map(kind => `day.${kind}`),
  ...Object.entries(templates).flatMap(([name, { parts }]) =>
    ['subject', ...parts]
      .filter(part => !['quote', 'assistance', 'my_policy', 'my_quote', 'many_trips'].includes(part))
      .map(part => `mail.${name}.${part}`),
  ),
])

/** The fields of a person at the change desk, and the same fields in the sale. Their messages are loaded separately. */
const fields: Record<string, string> = {
  'changes.name': 'funnel.name',
  'changes.surname': 'funnel.surname',
  'changes.middleName': 'funnel.middleName',
  'changes.lastName': 'funnel.lastName',
  'changes.lastName_none': 'funnel.lastName_none',
  'changes.companyName': 'funnel.businessName',
  'changes.companyNumber': 'funnel.businessNumber',
  'changes.birthDate': 'funnel.birthDate',
  'changes.documentKind': 'funnel.sheet.document',
  'changes.document_national': 'funnel.documentKind.national_in',
  'changes.document_passport': 'funnel.documentKind.passport',
  'changes.docNumber': 'funnel.documentNumber',
  'changes.docNumber_in': 'funnel.documentNumber_in',
  'changes.email': 'funnel.email',
  'changes.phonePrefix': 'funnel.phonePrefix',
  'changes.phoneNumber': 'funnel.phoneNumber',
  'changes.address': 'funnel.address',
  'changes.zipCode': 'funnel.zipCode',
  'changes.city': 'funnel.city',
  'changes.state': 'funnel.province',
}

/** Words spelt as in English. A message of only these may equal the English one. */
const alike: Record<Exclude<Locale, 'en-EN'>, string[]> = {
  'es-ES': ['error', 'total'],
  'fr-FR': (
    'action actions active administration agent bordereaux catalogue code commission contact dates description destination destinations documents logo menu messages ' +
    'note option options page pages total type version'
  ).split(' '),
  'it-IT': ['bordereaux', 'home', 'logo', 'menu', 'password'],
  'pt-PT': ['bordereaux', 'del', 'menu', 'shift', 'total'],
}

/** Returns the words of a message, without its parameters. */
function wordsIn(text: string): string[] {
  const texts = (message: unknown): string[] => {
    if (typeof message === 'string') return [message]
    if (!Array.isArray(message)) return []
    return message.flatMap(part => (Array.isArray(part) ? Object.values(Object(part[2])).flatMap(texts) : texts(part)))
  }
  return texts(compileMessage(text)).flatMap(part => part.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
}

describe.each(locales)('%s', locale => {
  const messages = catalogues.get(locale) ?? new Map<string, string>()

  test('a language has the same messages as English', () => {
    expect([...messages.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  })

  test('a field has the same name at the change desk and in the sale', () => {
    for (const [id, sold] of Object.entries(fields)) expect(messages.get(id), id).toBe(messages.get(sold))
  })

  test('a way to end a policy has the same name at its desk and in the accounts', () => {
    const ways = [...messages].filter(([id]) => id.startsWith('changes.basis_') && id !== 'changes.basis_right')
    expect(ways.length).toBeGreaterThan(0)
    for (const [id, name] of ways) expect(messages.get('accounting.basis')).toContain(` ${id.slice('changes.basis_'.length)} {${name}} `)
  })

  test('no message is empty, and all have the same parameters as English', () => {
    for (const [id, text] of messages) {
      expect(text.trim(), id).not.toBe('')
      expect([...parametersOf(text).keys()].toSorted(), id).toEqual([...parametersOf(english.get(id) ?? '').keys()].toSorted())
    }
  })

  test('no message is left in English', () => {
    if (locale === 'en-EN') return
    const left = [...messages].filter(([id, text]) => text === english.get(id) && wordsIn(text).some(word => !alike[locale].includes(word)))
    expect(left.map(([id]) => id)).toEqual([])
  })
})

test('every message belongs to a feature’s folder', () => {
  for (const id of english.keys()) expect(readdirSync(join(root, 'common/locales'))).toContain(id.split('.')[0])
})

test('no message is unused', () => {
  const unused = [...english.keys()].filter(id => !composed.has(id) && !code.includes(`'${id}'`))
  expect(unused).toEqual([])
})

test('no message is missing', () => {
  const features = [...new Set([...english.keys()].map(id => id.split('.')[0]))].join('|')
  const used = [...code.matchAll(new RegExp(`(?:words|t|key:|labelKey:|say)\\s*\\(?\\s*'((?:${features})\\.[\\w.]+)'`, 'g'))].map(
    match => match[1] ?? '',
  )
  const missing = [...new Set([...used, ...composed])].filter(id => !english.has(id))
  expect(missing).toEqual([])
})
