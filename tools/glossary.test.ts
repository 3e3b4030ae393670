import { describe, expect, test } from 'vitest'
import { type Locale, locales } from '#common/kit/locales.ts'
import { importFields, recognised } from '#common/policies/import/columns.ts'
import { duplicateIds, messagesOf } from './message-ids.ts'

/** Words that no message of a language may use, and the word to use instead. */
const forbidden: Record<Locale, readonly [RegExp, string][]> = {
  'en-EN': [
    [/e-mail/i, 'email'],
    [/\bmails?\b/i, 'email'],
    [/\bbudgets?\b/i, 'quote'],
    [/\boffer\b/i, 'quote'],
    [/\bgo on\b/i, 'continue'],
    [/\b(nobody|somebody|whoever|everybody)\b/i, 'the role'],
    [/\bhe\b|\bhim\b|\bhis\b/i, 'the role, or they'],
  ],
  'es-ES': [
    [/anulación|prima de anul/i, 'cancelación (of the trip)'],
    [/póliza (está )?cancelad/i, 'anulada (a policy)'],
    [/\boferta/i, 'presupuesto'],
    [/\bcomprad[oa]s?\b/i, 'vendido'],
    [/reembols/i, 'devolver'],
  ],
  'fr-FR': [
    [/\bpolices?\b/i, 'contrat'],
    [/\boffres?\b/i, 'devis'],
    [/\bacheté/i, 'vendu'],
    [/\bcourriel|\bmails?\b(?<!e-mails?)/i, 'e-mail'],
  ],
  'it-IT': [
    [/commissione/i, 'provvigione'],
    [/\bofferta\b|\bofferto\b/i, 'preventivo'],
    [/\bacquistat/i, 'venduta'],
    [/\bcollegamento\b/i, 'link'],
    [/^(Inserire|Scegliere|Verificare|Riprovare|Indicare|Controllare|Chiamare)\b(?!.*\?$)/, 'the imperative to "Lei"'],
  ],
  'pt-PT': [
    [/anulação/i, 'cancelamento (of the trip)'],
    [/apólice (está |foi )?cancelad/i, 'anulada (a policy)'],
    [/\bproposta/i, 'orçamento'],
    [/\bcomprad[oa]s?\b/i, 'vendida'],
    [/correio eletrónico|\bcorreio\b/i, 'e-mail'],
    [/\bdevoluç|\bdevolvid/i, 'reembolso'],
  ],
}

/** Ids that name one thing in several parts of the portal. */
const alike = [
  ['policies.event_purchased', 'policies.status_purchased'],
  ['documents.origin', 'funnel.coverageScope', 'policies.origin'],
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

  test('uses no word that the glossary replaces', () => {
    const found = [...messages].flatMap(([id, text]) =>
      forbidden[locale].filter(([word]) => word.test(text)).map(([, instead]) => `${id}: ${text} -> ${instead}`),
    )
    expect(found).toEqual([])
  })

  test('has one label for one thing', () => {
    for (const ids of alike) expect(new Set(ids.map(say)).size, ids.join(', ')).toBe(1)
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
