import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Locale, locales } from '#common/kit/locales.ts'
import { importFields, recognised } from '#common/policies/import/columns.ts'
import { allTextsOf } from './catalogue-texts.ts'
import { duplicateIds, messagesOf, parametersOf } from './message-ids.ts'

type Replaced = readonly (readonly [RegExp, string])[]

/** Words that no text of a language may use, nor the demo catalogue, each with its replacement. */
const forbidden: Record<Locale, Replaced> = {
  'en-EN': [
    [/e-mail/i, 'email'],
    [/\bmails?\b/i, 'email'],
    [/\bbudgets?\b/i, 'quote'],
    [/\binsurances\b/i, 'products'],
    [/\bgo on\b/i, 'continue'],
    [/\b(nobody|somebody|whoever|everybody)\b/i, 'the role'],
    [/\bhe\b|\bhim\b|\bhis\b/i, 'the role, or they'],
    [/private liability/i, 'personal liability'],
    [/insured amount/i, 'sum insured'],
    [/price of the (whole )?trip/i, 'trip cost'],
    [/\d causes|insured cause/i, 'insured reason'],
    [/\d d x|> \d/, 'days, over'],
  ],
  'es-ES': [
    [/país de salida/i, 'país de origen'],
    [/(?<!consultar una )anulación(?! de la póliza)|prima de anul/i, 'cancelación (of the trip)'],
    [/póliza (está )?cancelad/i, 'anulada (a policy)'],
    [/\boferta/i, 'presupuesto'],
    [/\bcomprad[oa]s?\b/i, 'vendido'],
    [/\bvendedor/i, 'agente'],
    [/plazo de espera|período/i, 'periodo de carencia'],
    [/\bCIF\b/, 'NIF'],
    [/\b(e-mail|fichero|link)s?\b/i, 'correo, archivo, enlace'],
    [/(?<!\p{L})(tu|tus|tú|ti|te|contigo)(?!\p{L})/iu, 'usted'],
    [/\btiques?\b/i, 'solicitud'],
    [/^ilimitado$/i, 'sin límite'],
    [/importe asegurado/i, 'suma asegurada'],
    [/asegurado dos veces/i, 'seguro duplicado'],
    [/\d d ×|> \d/, 'días, más de'],
  ],
  'fr-FR': [
    [/pays de départ/i, 'pays d’origine'],
    [/\bpolices\b|\bpolice (?!est)/i, 'contrat'],
    [/\boffres?\b/i, 'devis'],
    [/\bacheté/i, 'vendu'],
    [/\bvendeu(r|se)s?\b/i, 'agent'],
    [/\bcourriel|\bmails?\b(?<!e-mails?)/i, 'e-mail'],
    [/délai d’attente/i, 'délai de carence'],
    // The law prescribes the text of the button (décret 2026-3).
    [/(?<!^Confirmer la )rétract/i, 'renonciation'],
    [/contrats?(?!\p{L})[^.;]{0,60}(?<!\p{L})annulés?(?!\p{L})|annulation du contrat|Cancellation \{Annulation/iu, 'résilier, résiliation'],
    [/logotype/i, 'logo'],
    [/(?<!\p{L})(tu|ton|ta|tes|toi)(?!\p{L})/iu, 'vous'],
    [/(?<!\p{L})(est|sont|n’est pas|non|pas) garantie?s?(?!\p{L})|(événement|motif)s? garantis?/iu, 'couvert'],
    [/assuré deux fois/i, 'double assurance'],
    [/numéro fiscal/i, 'numéro d’entreprise'],
    [/\d[ \u00a0]j ×|> \d/, 'jours, de plus de'],
    [/sans garantie/i, 'non compris'],
  ],
  'it-IT': [
    [/paese di partenza/i, 'Paese di origine'],
    [/commissione/i, 'provvigione'],
    [/\bofferta\b|\bofferto\b/i, 'preventivo'],
    [/\bacquistat/i, 'venduta, stipulata'],
    [/\bvenditor/i, 'agente'],
    [/\bcollegamento\b/i, 'link'],
    [/periodo di attesa/i, 'periodo di carenza'],
    [/logotip/i, 'logo'],
    [/^(Inserire|Scegliere|Verificare|Riprovare|Indicare|Controllare|Chiamare)\b(?!.*\?$)/, 'the imperative to "Lei"'],
    [/\bIPID\b/, 'DIP'],
    [/assicurat[oa] due volte/i, 'doppia assicurazione'],
    [/\d g ×/, 'giorni'],
    [/\binclus[aeio]\b/i, 'compreso'],
    [/civile privata/, 'verso terzi'],
  ],
  'pt-PT': [
    [/país de (partida|saída)/i, 'país de origem'],
    [/(?<!consultar a )anulação(?! da apólice)/i, 'cancelamento (of the trip)'],
    [/apólice (está |foi )?cancelad/i, 'anulada (a policy)'],
    [/\bcomprad[oa]s?\b/i, 'vendida'],
    [/\bvendedor/i, 'agente'],
    [/correio eletrónico|\bcorreio\b/i, 'e-mail'],
    [/período de espera/i, 'período de carência'],
    [/desistência/i, 'livre resolução'],
    [/ligação (do|enviad|funciona|para escolher|já)|enviar a ligação/i, 'link'],
    [/\b(você|usuári|arquivo|senha|tela|celular|contato|registro)/i, 'the word of Portugal'],
    [/(?<!\p{L})(é|está|viaja|continua) segur[ao]s?(?!\p{L})|(evento|causa|custo da viagem) segur[ao]s?/iu, 'coberto, pessoa segura'],
    [/segurad[ao] duas vezes/i, 'seguro em duplicado'],
    [/montante seguro/i, 'capital seguro'],
    [/\d d ×|> \d/, 'dias, mais de'],
    [/\blínguas?\b/i, 'idioma'],
    [/viso de receção/i, 'comprovativo'],
  ],
}

/** Words that no message may use. The catalogue’s products use them in another sense: assistance, reimbursement of expenses. */
const forbiddenOnScreen: Record<Locale, Replaced> = {
  'en-EN': [
    [/\bunits?\b/i, 'agency'],
    [/\btax ID\b/i, 'tax number'],
    [/\breservation/i, 'booking'],
    [/\bsupport\b/i, 'customer service'],
    [/\bmovements?\b/i, 'transaction'],
    [/\bearnings\b(?! \{)/i, 'commission'],
    [/\btickets?\b(?! \{)/i, 'claim or request'],
    [/\b(comes?|gives?|given) back\b/i, 'refund'],
    [/\btaken? (\w+ )?back\b|\btakes back\b/i, 'revoke, undo, reverse'],
    [/^Book\b|\bbooked (by|again)\b|money book/i, 'record, ledger'],
    [/still open|nothing is open/i, 'outstanding'],
    [/sessions? (has |have been )?ended|end (the|all) sessions?/i, 'sign out'],
    [/\bregular report|sent regularly/i, 'scheduled'],
    [/in force again|valid again/i, 'reinstated'],
    [/\bleaves (today|tomorrow|in)\b/i, 'departs'],
    [/\bsupplement\b/i, 'endorsement'],
    [/\bBritish\b/, 'UK'],
    [/all the same|\banew\b/i, 'still, again'],
    [/amount\} (are|go)\b/, 'a sum is singular'],
  ],
  'es-ES': [
    [/reembols/i, 'devolver'],
    [/\bsoporte\b/i, 'atención al cliente'],
    [/documentación/i, 'documentos'],
    [/\ba cuenta\b/i, 'con cargo a la cuenta'],
    [/extractos?\b(?! del banco)/i, 'liquidación'],
    [/\bingresos\b/i, 'comisiones'],
    [/red de tarjetas/i, 'pasarela de pago'],
    [/condon/i, 'incobrable'],
    [/\bliber(a|e|ar|arlo|ad[oa]s?)\b/i, 'aprobar, reanudar'],
    [/póliza cambiada/i, 'modificada'],
    [/libro de (Excel|cálculo)/i, 'Excel (.xlsx)'],
    [/informes? (programad|periódico)/i, 'envío periódico'],
    [/(sale|empieza|empeora) en [#{]/, 'dentro de'],
    [/registrar?(lo|la)?\b.{0,12}venta|vuelva a registrar/i, 'completar la venta'],
  ],
  'fr-FR': [
    [/\bpolice\b/i, 'contrat'],
    [/(?<!\{)\bassistance\b(?! 24)/i, 'service client'],
    [/\bessais?\b|échouée/i, 'tentative, en échec'],
    [/\bchangements?\b/i, 'modification'],
    [/\brevenus\b/i, 'commissions'],
    [/en retard\b/i, 'échu'],
    [/limite de crédit/i, 'plafond de crédit'],
    [/réguli(er|ère)/i, 'programmé'],
    [/d’examen\b|\bexamen d/i, 'vérification'],
    [/\btickets?\b(?! \{)/i, 'dossier'],
    [/aussitôt/i, 'immédiatement'],
    [/(ce|par|un|chaque) message\b/i, 'e-mail'],
    [/agents? de (l’assureur|\{insurer)/i, 'mandataire'],
    [/\bclasseur\b/i, 'Excel'],
    [/\brevendre\b/i, 'vendre un nouveau contrat'],
    // Below two euros a verb in the plural is wrong.
    [/mount\} (sont|ne sont|n’ont|ne peuvent|vous sont|reviennent)/, 'Remboursement de {amount}'],
  ],
  'it-IT': [
    [/assistenza(?! 24)/i, 'servizio clienti'],
    [/guadagni\b/i, 'provvigioni'],
    [/\bin conto\b/i, 'sul conto dell’agenzia'],
    [/limite di credito/i, 'fido'],
    [/preventiv[oi] salvat[oi]/i, 'preventivo'],
    [/\bvia e-mail|\b(un’|le )email\b/i, 'per e-mail'],
    [/\bticket\b(?! {)/i, 'richiesta'],
    [/cartella di lavoro/i, 'foglio di calcolo'],
    [/\btass[ae]\b/i, 'imposta'],
    // The law’s label of the button is an infinitive.
    [/^(?!Recedere dal contratto)\p{Lu}\p{Ll}+(are|ere|ire)\b(?!.*\?)/u, 'the short imperative'],
    [/\bpasso\b/i, 'fase'],
  ],
  'pt-PT': [
    [/\bdevoluç|\bdevolvid/i, 'reembolso'],
    [/\bpassos? \d/i, 'etapa'],
    [/\bem conta\b(?<!^Tenha em conta)/i, 'na conta da agência'],
    [/(?<!livre )resolução(?! do contrato)|resolver (o contrato|a apólice)/i, 'livre resolução'],
    [/\bganhos\b/i, 'comissões'],
    [/transferir (a cópia|o modelo|todos|\{name)|(documentos?|cópia|ficheiro) (foi )?transferid/i, 'descarregar'],
    [/(alteração|dívida) anulada/i, 'desfeita, incobrável'],
    [/Nenhuma? \p{L}+ corresponde/iu, 'encontrado'],
    [/agendad[ao]|agendamento/i, 'regular'],
    [/\b(um|O) email\b/, 'e-mail'],
    [/\blivro \(/i, 'folha de cálculo'],
  ],
}

/** The rows of the glossary's trade section: each word, and the words that it replaces. */
const trade = readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8')
  .split(/^## /m)
  .filter(part => part.startsWith('The trade'))
  .flatMap(part => [...part.matchAll(/^\| \*\*(.+?)\*\* *\|.*\|(.*)\|$/gm)])
  .map(([, word = '', not = '']) => ({ word, not: not.split(',').flatMap(each => each.trim() || []) }))

/** The words of each language, from the glossary's table of five languages. */
const table = readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8')
  .split(/^## /m)
  .filter(part => part.startsWith('On screen'))
  .flatMap(part => [...part.matchAll(/^\| (.+) \|$/gm)].slice(2))
  .map(([, row = '']) => row.split('|').map(cell => cell.trim()))

/** Returns the words of a message that the glossary replaces, except as part of a glossary term: customer service. */
function replacedIn(text: string): string[] {
  const withoutParameters = text.replaceAll(/\{\w+(?=[,}])/g, '{')
  const rest = trade.reduce((left, { word }) => left.replaceAll(new RegExp(`\\b${word}\\b`, 'gi'), ''), withoutParameters)
  return trade.flatMap(({ word, not }) =>
    not.filter(each => new RegExp(`\\b${each}s?\\b`, 'i').test(rest)).map(each => `${each} -> ${word}`),
  )
}

test('the glossary’s trade terms are read with the words that they replace', () => {
  expect(trade.length).toBeGreaterThan(25)
  expect(replacedIn('The sellers’ customer service cancels {taker} General conditions, {offer, plural, other {# offers}}.')).toEqual([
    'general conditions -> policy wording',
    'seller -> agent',
  ])
})

test('no English message uses a word that the glossary replaces', () => {
  const found = [...messagesOf('en-EN')].flatMap(([id, text]) => replacedIn(text).map(replaced => `${id}: ${text}: ${replaced}`))
  expect(found).toEqual([])
})

test('no message parameter has a name that the glossary replaces', () => {
  const replaced = new Set(trade.flatMap(({ not }) => not))
  const found = [...messagesOf('en-EN')].flatMap(([id, text]) =>
    [...parametersOf(text).keys()].flatMap(name => (replaced.has(name) ? `${id}: ${name}` : [])),
  )
  expect(found).toEqual([])
})

/** Ids of messages that name the same thing in several parts of the portal. */
const alike = [
  ['events.purchased', 'policies.status_purchased'],
  ['changes.origin', 'documents.origin', 'funnel.coverageScope', 'offer.origin', 'policies.origin'],
  ['administration.city', 'agency.field.city', 'funnel.city'],
  ['documents.cost', 'funnel.priceTravel', 'policies.trip_price'],
  ['funnel.done.copy', 'policies.copy'],
  ['funnel.cancellation_premium', 'policies.line_cancellation'],
  ['refusal.session.forbidden', 'shell.forbidden'],
  ['products.title', 'shell.menu.insurances'],
  ['documents.period', 'tickets.cover'],
  ['administration.tax_id', 'agency.managed.tax_id'],
  ['administration.brand', 'agency.managed.brand'],
  ['administration.support_email', 'agency.managed.support'],
  ...['viewer', 'seller', 'freelancer', 'manager', 'admin'].map(role => [`administration.role_${role}`, `agency.role.${role}`]),
]

/** The menu's word for a quote, as other messages use it. */
const quotes: Record<Locale, string> = {
  'en-EN': 'quote',
  'es-ES': 'presupuesto',
  'fr-FR': 'devis',
  'it-IT': 'preventiv',
  'pt-PT': 'orçamento',
}

/** The glossary's word for a change offered to the client. A price is a quote. */
const offers: Record<Locale, RegExp> = {
  'en-EN': /\boffers?\b/i,
  'es-ES': /\bpropuestas?\b/i,
  'fr-FR': /\bpropositions?\b/i,
  'it-IT': /\bpropost[ae]\b/i,
  'pt-PT': /\bpropostas?\b/i,
}

const columns = ['funnel.name', 'funnel.middleName', 'funnel.lastName', 'funnel.birthDate', 'funnel.documentNumber', 'funnel.documentKind']

describe.each(locales)('%s', locale => {
  const messages = messagesOf(locale)
  const say = (id: string) => messages.get(id) ?? ''

  test('no text uses a word that has a better one', () => {
    const used = (texts: Map<string, string>, replaced: Replaced) =>
      [...texts].flatMap(([id, text]) => replaced.filter(([word]) => word.test(text)).map(([, instead]) => `${id}: ${text} -> ${instead}`))
    expect([...used(allTextsOf(locale), forbidden[locale]), ...used(messages, forbiddenOnScreen[locale])]).toEqual([])
  })

  test('texts call only an offered change an offer', () => {
    const found = [...messages].filter(
      ([id, text]) => offers[locale].test(text) && !/\b(offer|changes?|change_offered)\b|_change_/.test(id),
    )
    expect(found).toEqual([])
  })

  test('texts use the words of the glossary’s table', () => {
    const texts = [...allTextsOf(locale).values()].join('\n').toLowerCase()
    const column = ['en-EN', 'es-ES', 'fr-FR', 'it-IT', 'pt-PT'].indexOf(locale)
    const words = table.flatMap(row => (row[column] ?? '').replace(/ \(.*/, '').split(', '))
    expect(words.length).toBeGreaterThan(40)
    expect(words.filter(word => !texts.includes(word.toLowerCase()))).toEqual([])
  })

  // "de" becomes "d’" before a vowel, and a name may begin with one.
  test('no text has a policyholder’s name after a word', () => {
    expect([...messages].flatMap(([id, text]) => (/\p{L} \{policyholder\}/u.test(text) ? `${id}: ${text}` : []))).toEqual([])
  })

  test('one thing has one label', () => {
    for (const ids of alike) expect(new Set(ids.map(say)).size, ids.join(', ')).toBe(1)
  })

  test('texts name the country of origin as the policy wording does', () => {
    const [origin, texts] = [say('documents.origin').toLowerCase(), allTextsOf(locale)]
    const wording = [...texts].find(([path]) => path === 'documents/conditions.json.articles.2.passages.0.text')
    for (const text of [wording?.[1], say('validation.residence')]) expect(text?.toLowerCase()).toContain(origin)
  })

  test('texts use the catalogue’s name of the IPID', () => {
    expect(readFileSync(join(import.meta.dirname, '../catalogue/texts.json'), 'utf8')).toContain(`"${say('documents.information')}"`)
  })

  test('texts use the menu’s word for a quote', () => {
    for (const id of [
      'shell.menu.budget',
      'policies.status_budgeted',
      'documents.quote',
      'mail.budget_offer.subject',
      'funnel.save_budget',
    ])
      expect(say(id).toLowerCase(), id).toContain(quotes[locale])
  })

  test('the travellers’ template labels its columns as the import recognises them', () => {
    expect(Object.values(recognised([columns.map(say)], true).columns)).toEqual(importFields.map((_, index) => index))
  })

  test('texts define each message once', () => expect(duplicateIds(locale)).toEqual([]))
})
