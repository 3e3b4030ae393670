import { displayDate, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import { brandOf, languageAndRegion, type Part, type PdfDocument } from '#server/documents/public.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { Outcome } from '#common/privacy/outcome.ts'
import type { RequestKind } from '../tables.ts'

/** The answer to a request. It has no name: it is kept when the person is erased. */
export type Answer = { id: string; kind: RequestKind; at: Date; receivedOn: string; outcome: Outcome }
type Reader = { unit: UnitSettings; insurer: string; locale: Locale; words: Words }

/** The authorities to which a person complains, by the country of the agency (ISO 3166, numeric). */
const authorities: Partial<Record<number, { name: string; site: string }>> = {
  250: { name: 'Commission nationale de l’informatique et des libertés (CNIL)', site: 'www.cnil.fr' },
  380: { name: 'Garante per la protezione dei dati personali', site: 'www.garanteprivacy.it' },
  620: { name: 'Comissão Nacional de Proteção de Dados (CNPD)', site: 'www.cnpd.pt' },
  724: { name: 'Agencia Española de Protección de Datos (AEPD)', site: 'www.aepd.es' },
  826: { name: 'Information Commissioner’s Office (ICO)', site: 'ico.org.uk' },
}

/** Writes the letter: what was done item by item, what is kept until when and why, what was refused, and how to complain. */
export function letterOf({ id, kind, at, receivedOn, outcome }: Answer, { unit, insurer, locale, words }: Reader): PdfDocument {
  const title = words('privacy.letter_title', { kind })
  const date = day(today(at, unit.timeZone))
  const parties = { agency: unit.legalName, insurer, date: day(receivedOn), role: unit.distributionRole ?? 'agent' }
  return {
    ...languageAndRegion(locale),
    title,
    subtitle: date,
    running: title,
    intro: words('privacy.letter_intro', parties),
    footer: words('privacy.letter_footer', { agency: unit.legalName, taxId: unit.taxId, request: id }),
    brand: brandOf(unit.brandName, unit.accent, [unit.contactInfo.phone, unit.contactInfo.email], unit.logo),
    parts: [
      ...itemsPart(outcome, words),
      ...explanations(kind, outcome, words),
      complaint(unit, words),
      note(words('privacy.letter_signed'), [words('privacy.letter_signature', parties)]),
    ],
    at,
  }
}

const day = (date: string): string => displayDate(date) ?? date
const note = (heading: string, items: string[]): Part => ({ kind: 'note', heading, items })

function itemsPart({ items }: Outcome, words: Words): Part[] {
  if (items.length === 0) return []
  const column = (label: string, wide = false) => ({ label, wide, end: false })
  return [
    {
      kind: 'table',
      heading: words('privacy.letter_items'),
      columns: [
        column(words('privacy.column_what')),
        column(words('privacy.column_outcome')),
        column(words('privacy.column_because'), true),
        column(words('privacy.column_erased')),
      ],
      rows: items.map(({ kind, number, outcome, because, erasedOn }) => [
        words('privacy.place', { kind, number: number ?? '' }),
        words('privacy.outcome', { outcome }),
        words('privacy.because', { because }),
        erasedOn && outcome !== 'copied' ? day(erasedOn) : '–',
      ]),
    },
  ]
}

/** Explains each kind of outcome in the letter, once. */
function explanations(kind: RequestKind, { items, mails }: Outcome, words: Words): Part[] {
  const outcomes = ['erased', 'blocked', 'kept', 'refused', 'unchanged'] as const
  const found = outcomes.filter(each => items.some(({ outcome }) => outcome === each))
  const texts = [
    ...found.map(outcome => words('privacy.letter_explained', { outcome })),
    ...(mails > 0 ? [words('privacy.letter_mails', { count: mails, kind })] : []),
    ...(kind === 'export' ? [words('privacy.letter_copy')] : []),
    ...(items.length === 0 && mails === 0 ? [words('privacy.letter_nothing')] : []),
  ]
  return texts.length > 0 ? [note(words('privacy.letter_meaning'), texts)] : []
}

function complaint({ country, contactInfo }: UnitSettings, words: Words): Part {
  const authority = authorities[country]
  const where = authority ? words('privacy.letter_authority', authority) : words('privacy.letter_any_authority')
  return note(words('privacy.letter_complaint'), [words('privacy.letter_write', { email: contactInfo.email }), where])
}
