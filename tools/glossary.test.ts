import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Locale, locales } from '#common/kit/locales.ts'
import { importFields, recognised } from '#common/policies/import/columns.ts'
import { duplicateIds, messagesOf, parametersOf } from './message-ids.ts'

/** Further words that no message of a language may use, and the word to use instead. */
const forbidden: Record<Locale, readonly [RegExp, string][]> = {
  'en-EN': [
    [/e-mail/i, 'email'],
    [/\bmails?\b/i, 'email'],
    [/\bbudgets?\b/i, 'quote'],
    [/\bgo on\b/i, 'continue'],
    [/\b(nobody|somebody|whoever|everybody)\b/i, 'the role'],
    [/\bhe\b|\bhim\b|\bhis\b/i, 'the role, or they'],
  ],
  'es-ES': [
    [/anulación|prima de anul/i, 'cancelación (of the trip)'],
    [/póliza (está )?cancelad/i, 'anulada (a policy)'],
    [/\boferta/i, 'presupuesto'],
    [/\bcomprad[oa]s?\b/i, 'vendido'],
    [/\bvendedor/i, 'agente'],
    [/reembols/i, 'devolver'],
  ],
  'fr-FR': [
    [/\bpolices?\b/i, 'contrat'],
    [/\boffres?\b/i, 'devis'],
    [/\bacheté/i, 'vendu'],
    [/\bvendeu(r|se)s?\b/i, 'agent'],
    [/\bcourriel|\bmails?\b(?<!e-mails?)/i, 'e-mail'],
  ],
  'it-IT': [
    [/commissione/i, 'provvigione'],
    [/\bofferta\b|\bofferto\b/i, 'preventivo'],
    [/\bacquistat/i, 'venduta'],
    [/\bvenditor/i, 'agente'],
    [/\bcollegamento\b/i, 'link'],
    [/^(Inserire|Scegliere|Verificare|Riprovare|Indicare|Controllare|Chiamare)\b(?!.*\?$)/, 'the imperative to "Lei"'],
  ],
  'pt-PT': [
    [/anulação/i, 'cancelamento (of the trip)'],
    [/apólice (está |foi )?cancelad/i, 'anulada (a policy)'],
    [/\bproposta/i, 'orçamento'],
    [/\bcomprad[oa]s?\b/i, 'vendida'],
    [/\bvendedor/i, 'agente'],
    [/correio eletrónico|\bcorreio\b/i, 'e-mail'],
    [/\bdevoluç|\bdevolvid/i, 'reembolso'],
  ],
}

/** The rows of the glossary's trade: each word, and those that mean the same. */
const trade = readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8')
  .split(/^## /m)
  .filter(part => part.startsWith('The trade'))
  .flatMap(part => [...part.matchAll(/^\| \*\*(.+?)\*\* *\|.*\|(.*)\|$/gm)])
  .map(([, word = '', not = '']) => ({ word, not: not.split(',').flatMap(each => each.trim() || []) }))

/** Returns the words of a message that the glossary replaces. A word of the glossary may contain one: customer service. */
function replacedIn(text: string): string[] {
  const withoutParameters = text.replaceAll(/\{\w+(?=[,}])/g, '{')
  const rest = trade.reduce((left, { word }) => left.replaceAll(new RegExp(`\\b${word}\\b`, 'gi'), ''), withoutParameters)
  return trade.flatMap(({ word, not }) =>
    not.filter(each => new RegExp(`\\b${each}s?\\b`, 'i').test(rest)).map(each => `${each} -> ${word}`),
  )
}

test('the glossary’s trade is read with the words that it replaces', () => {
  expect(trade.length).toBeGreaterThan(25)
  expect(replacedIn('The sellers’ customer service cancels {taker} General conditions, {offer, plural, other {# offers}}.')).toEqual([
    'offer -> quote',
    'offer -> saved quote',
    'general conditions -> policy wording',
    'seller -> agent',
  ])
})

test('no English message uses a word that the glossary replaces', () => {
  const found = [...messagesOf('en-EN')].flatMap(([id, text]) => replacedIn(text).map(replaced => `${id}: ${text}: ${replaced}`))
  expect(found).toEqual([])
})

test('no parameter of a message is named by a word that the glossary replaces', () => {
  const replaced = new Set(trade.flatMap(({ not }) => not))
  const found = [...messagesOf('en-EN')].flatMap(([id, text]) =>
    [...parametersOf(text).keys()].flatMap(name => (replaced.has(name) ? `${id}: ${name}` : [])),
  )
  expect(found).toEqual([])
})

/** Ids that name one thing in several parts of the portal. */
const alike = [
  ['policies.event_purchased', 'policies.status_purchased'],
  ['documents.origin', 'funnel.coverageScope', 'policies.origin'],
  ['administration.city', 'agency.field.city', 'funnel.city'],
  ['documents.cost', 'funnel.priceTravel', 'policies.trip_price'],
  ['funnel.done.copy', 'policies.copy'],
  ['funnel.cancellation_premium', 'policies.line_cancellation'],
  ['refusal.session.forbidden', 'shell.forbidden'],
]

/** The menu's word for a quote, as other messages use it. */
const quotes: Record<Locale, string> = {
  'en-EN': 'quote',
  'es-ES': 'presupuesto',
  'fr-FR': 'devis',
  'it-IT': 'preventiv',
  'pt-PT': 'orçamento',
}

const columns = ['funnel.name', 'funnel.middleName', 'funnel.lastName', 'funnel.birthDate', 'funnel.documentNumber', 'funnel.documentKind']

describe.each(locales)('%s', locale => {
  const messages = messagesOf(locale)
  const say = (id: string) => messages.get(id) ?? ''

  test('uses no word that has a better one', () => {
    const found = [...messages].flatMap(([id, text]) =>
      forbidden[locale].filter(([word]) => word.test(text)).map(([, instead]) => `${id}: ${text} -> ${instead}`),
    )
    expect(found).toEqual([])
  })

  // "de" is "d’" before a vowel, and a name may begin with one.
  test('has no policyholder’s name after a word', () => {
    expect([...messages].flatMap(([id, text]) => (/\p{L} \{policyholder\}/u.test(text) ? `${id}: ${text}` : []))).toEqual([])
  })

  test('has one label for one thing', () => {
    for (const ids of alike) expect(new Set(ids.map(say)).size, ids.join(', ')).toBe(1)
  })

  test('calls the IPID what the catalogue calls it', () => {
    expect(readFileSync(join(import.meta.dirname, '../catalogue/texts.json'), 'utf8')).toContain(`"${say('documents.information')}"`)
  })

  test('calls a quote what the menu calls it', () => {
    for (const id of [
      'shell.menu.budget',
      'policies.status_budgeted',
      'documents.quote',
      'mail.budget_offer.subject',
      'funnel.save_budget',
    ])
      expect(say(id).toLowerCase(), id).toContain(quotes[locale])
  })

  test('labels the columns of the travellers’ template as the import knows them', () => {
    expect(Object.values(recognised(columns.map(say), true).columns)).toEqual(importFields.map((_, index) => index))
  })

  test('defines each message once', () => expect(duplicateIds(locale)).toEqual([]))
})
