import { countryName } from '#common/geography/countries.ts'
import { displayDate, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { formatMoney, toCents } from '#common/kit/money.ts'
import { personLines } from '#common/people/person.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import { brandOf, languageAndRegion, type Part, type PdfDocument, type Row } from '#server/documents/public.ts'
import type { Words } from '#common/kit/words/words.ts'
import { type CopiedPolicy, type CopiedTicket, copiedLines, type Copy, kindOfLine } from './schema.ts'

type Reader = { unit: UnitSettings; locale: Locale; words: Words; at: Date }

const day = (date: string | null): string => displayDate(date ?? '') ?? ''
const column = (label: string, wide = false) => ({ label, wide, end: false })

/** Writes a person's copy for a reader: its data in words instead of codes. */
export function copyDocument(copy: Copy, reader: Reader): PdfDocument {
  const { unit, locale, words, at } = reader
  const title = words('privacy.copy_title')
  const made = { date: day(today(at, unit.timeZone)), agency: unit.legalName }
  return {
    ...languageAndRegion(locale),
    title,
    subtitle: words('privacy.copy_made', made),
    running: title,
    intro: words('privacy.copy_intro', made),
    footer: `${unit.legalName}, ${unit.taxId}`,
    brand: brandOf(unit.brandName, unit.accent, [unit.contactInfo.phone, unit.contactInfo.email], unit.logo),
    parts: [
      { kind: 'facts', sides: [{ heading: words('privacy.copy_you'), rows: factsOf(copy, reader) }] },
      ...policies(copy, reader),
      ...copy.policies.flatMap(policy => detailsOf(policy, reader)),
      ...copy.tickets.flatMap(ticket => ticketParts(ticket, reader)),
      ...emails(copy, reader),
      ...files(copy, reader),
      {
        kind: 'note',
        heading: words('privacy.copy_why'),
        items: [words('privacy.copy_purpose'), words('privacy.copy_rights', { email: unit.contactInfo.email })],
      },
    ],
    at,
  }
}

const factsOf = ({ person }: Copy, { words, locale }: Reader): Row[] =>
  personLines.map(line => {
    const shown = person[copiedLines[line].list].flatMap(value =>
      typeof value === 'number' ? (countryName(value, locale) ?? []) : kindOfLine(line) === 'day' ? day(value) : value,
    )
    return { label: words(copiedLines[line].label), value: shown.join(' · ') || '–' }
  })

function policies({ policies: all, files: documents }: Copy, { words, locale, unit }: Reader): Part[] {
  if (all.length === 0) return []
  // Files of policies go to policyholders alone.
  const isHolder = documents.some(({ of }) => all.some(({ uuid }) => uuid === of))
  const price = ({ price: amount, currency }: CopiedPolicy) => (amount === null ? '–' : formatMoney(toCents(amount) ?? 0, locale, currency))
  return [
    {
      kind: 'table',
      heading: words('privacy.copy_policies'),
      columns: [
        column(words('documents.number')),
        column(words('privacy.copy_product'), true),
        column(words('documents.period')),
        column(words('privacy.copy_others')),
        { ...column(words('documents.total')), end: true },
      ],
      rows: all.map(policy => [
        nameOf(policy, words),
        [policy.product, policy.blocked && words('privacy.copy_blocked', { until: day(policy.blocked.erasedOn) })]
          .filter(Boolean)
          .join(' · '),
        `${day(policy.startDate)} – ${day(policy.endDate)}`,
        String(policy.otherPeople),
        price(policy),
      ]),
    },
    {
      kind: 'note',
      heading: '',
      items: [words('privacy.copy_zone', { zone: unit.timeZone }), ...(isHolder ? [words('privacy.copy_papers')] : [])],
    },
  ]
}

const nameOf = ({ kind, number }: CopiedPolicy, words: Words): string =>
  kind === 'quote' ? words('privacy.place', { kind: 'budget', number: '' }) : (number ?? '')

/** Lists the statements, changes and withdrawals of a policy. */
function detailsOf(policy: CopiedPolicy, { words, unit }: Reader): Part[] {
  const dayOf = (at: string) => day(today(new Date(at), unit.timeZone))
  const stated = policy.versions.flatMap(({ demandsAndNeeds }) => demandsAndNeeds ?? [])
  const items = [
    ...new Set(stated),
    ...policy.changes.map(({ at, kind, note }) => [dayOf(at), words('privacy.copy_step', { kind }), note].filter(Boolean).join(' · ')),
    ...policy.withdrawals.map(({ at, name, confirmedTo }) => [dayOf(at), words('privacy.copy_withdrawal'), name, confirmedTo].join(' · ')),
  ]
  return items.length > 0 ? [{ kind: 'note', heading: nameOf(policy, words), items }] : []
}

function ticketParts(ticket: CopiedTicket, { words, unit }: Reader): Part[] {
  const dayOf = (at: string) => day(today(new Date(at), unit.timeZone))
  const { contact } = ticket
  return [
    {
      kind: 'note',
      heading: words('privacy.place', { kind: 'ticket', number: ticket.reference }),
      items: [
        [dayOf(ticket.openedAt), ticket.subject].join(' · '),
        [contact.name, contact.email, contact.phone].filter(Boolean).join(' · '),
        ...ticket.description.split('\n').filter(line => line.trim() !== ''),
        ...ticket.answers.map(({ question, answer }) => `${question}: ${String(answer)}`),
        ...ticket.messages.map(({ at, from, text }) => `${dayOf(at)} · ${words('privacy.copy_from', { from })}: ${text}`),
        ...(ticket.blocked ? [words('privacy.copy_blocked', { until: day(ticket.blocked.erasedOn) })] : []),
      ],
    },
  ]
}

function emails({ emails: all }: Copy, { words, unit }: Reader): Part[] {
  if (all.length === 0) return []
  return [
    {
      kind: 'table',
      heading: words('privacy.copy_emails'),
      columns: [column(words('documents.statement.day')), column(words('privacy.copy_to')), column(words('privacy.copy_subject'), true)],
      rows: all.map(({ at, to, subject }) => [day(today(new Date(at), unit.timeZone)), to, subject ?? '–']),
    },
  ]
}

function files({ files: all }: Copy, { words }: Reader): Part[] {
  if (all.length === 0) return []
  return [
    {
      kind: 'note',
      heading: words('privacy.copy_files'),
      items: all.map(({ path, lost }) => (lost ? words('privacy.copy_lost', { file: path }) : path)),
    },
  ]
}
