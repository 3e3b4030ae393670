import { countryName } from '#common/geography/countries.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import { allNamesOfRow, copiedName, personFields, type PersonLine, personLines } from '#common/people/person.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import { comparable } from '../facts.ts'
import { blockedOf } from '../persons/find.ts'
import { isOwn, type Person, type PersonRow } from '../persons/key.ts'
import { isAddressed, placesOf, sightingsOfPerson } from '../persons/queries.ts'
import { readPeople } from '../retention/block-policies.ts'
import { readTickets } from '../retention/block-tickets.ts'
import { opened } from '../sealed.ts'
import {
  asPolicy,
  asTicket,
  type Blocked,
  blockedRows,
  factsOfPolicies,
  filesOf,
  mailHeads,
  type OwnFile,
  type PolicyContent,
  type PolicyFacts,
  type TicketContent,
} from './read.ts'
import { type CopiedField, type CopiedPolicy, type CopiedTicket, copiedFields, copiedLines, type Copy } from './schema.ts'

/** A person's copy, its files, the language of the newest policy, and the blocked objects that were opened for it. */
export type Collected = { copy: Omit<Copy, 'files'>; files: OwnFile[]; locale: Locale; opened: string[] }

/** `versions`: those whose documents are the person's, as policyholder or as the only person. */
type Found = { own: PersonRow[]; versions: number[]; copied: CopiedPolicy }

/** Reads everything that an agency holds about a person, also blocked data. Of other people it has only how many they are. */
export async function collect(world: World, tx: PrivacyUnitTx, person: Person): Promise<Collected> {
  const { brandName, taxId, contactInfo, locale } = await unitSettings(tx)
  const ids = [...new Set((await sightingsOfPerson(world.secrets, tx, person)).map(({ policy_id: id }) => id))]
  const openedFirst = await openBlocked(world, tx, person)
  const sealed = new Map(
    openedFirst.flatMap(({ row, content }) => (row.kind === 'policy' ? [[row.object_id, { row, content }] as const] : [])),
  )
  const live = new Map((await readPeople(world.secrets, tx, ids)).map(({ id, content }) => [id, content]))
  const facts = await factsOfPolicies(tx, [...ids, ...sealed.keys()])
  const found = facts.flatMap(each => {
    const { row, content = live.get(each.id) } = sealed.get(each.id) ?? {}
    return content ? foundIn(person, each, asPolicy(content), row) : []
  })
  const rows = found.flatMap(({ own }) => own)
  const emails = distinct(rows.map(emailOf))
  const names = distinct(rows.map(allNamesOfRow))
  // The person is now known by name and address, too. A ticket has no other facts.
  const known = names.map(name => ({ ...person, emails, name: comparable({ ...noFacts, name }).name }))
  const blocked = [...openedFirst]
  const ticketIds = new Set<string>()
  for (const named of known) {
    for (const each of await openBlocked(world, tx, named))
      if (each.row.kind === 'ticket' && blocked.every(({ row }) => row.object_id !== each.row.object_id)) blocked.push(each)
    for (const { kind, id } of await placesOf(tx, ids, named)) if (kind === 'ticket') ticketIds.add(id)
  }
  const tickets = await readTickets(world.secrets, tx, [...ticketIds])
  // An email address alone is not enough: an agency may enter its own for many clients.
  const isNamed = (name: string) => known.some(each => isAddressed(name, each))
  const documents = found.flatMap(({ copied, versions }) => (versions.length > 0 ? [{ policy: copied.uuid, versions }] : []))
  const ownPolicies = documents.map(({ policy }) => policy)
  const isTheirs = ({ contact_email: email, contact_name: name, policy_id: policy }: TicketContent['ticket']) =>
    isNamed(name) || (emails.includes(email.toLowerCase()) && policy !== null && ownPolicies.includes(policy))
  const inUse = tickets.map(({ content }) => asTicket(content)).filter(({ ticket }) => isTheirs(ticket))
  const ofTickets = [
    ...inUse.map(content => ticketOf(content)),
    ...blocked.flatMap(({ row, content }) => (row.kind === 'ticket' ? [ticketOf(asTicket(content), row)] : [])),
  ]
  const theirs = new Set([...ownPolicies, ...ofTickets.map(({ uuid }) => uuid)])
  const mails = (await mailHeads(tx, emails)).filter(
    ({ recipient_name: name, about }) => isNamed(name) || (about !== null && theirs.has(about)),
  )
  const files = await filesOf(
    tx,
    documents,
    ofTickets.map(({ uuid }) => uuid),
  )
  const formerNames = sealedNames(blocked.map(({ content }) => content))
  return {
    copy: {
      madeAt: world.clock.now().toISOString(),
      agency: { name: brandName, taxId, email: contactInfo.email },
      // Safe: each line has its copied name, and the values of its kind.
      person: Object.fromEntries(personLines.map(line => [copiedLines[line].list, spellingsOf(rows, line)])) as Copy['person'],
      policies: found.map(({ copied }) => copied),
      tickets: ofTickets,
      emails: [
        ...mails.map(({ at, recipient_address: to, subject, template, state }) => ({
          at: at.toISOString(),
          to,
          subject,
          about: template,
          state,
        })),
        ...blocked.flatMap(({ content }) =>
          (asPolicy(content).mails ?? [])
            .filter(({ to }) => emails.includes(to.toLowerCase()))
            .map(({ at, to, template }) => ({ at: new Date(at).toISOString(), to, subject: null, about: template, state: 'sent' })),
        ),
      ],
    },
    files: files.map(file => ({ ...file, name: file.name || (formerNames.get(file.id) ?? '') })),
    locale: facts[0]?.locale ?? locale,
    opened: blocked.map(({ row }) => row.object_id),
  }
}

const noFacts = { document: null, birthDate: null, email: null, name: null }

async function openBlocked(world: World, tx: PrivacyUnitTx, person: Person) {
  const found = await blockedOf(world, tx, person)
  const rows = await blockedRows(
    tx,
    found.map(row => row.blocked_id),
  )
  return rows.map(row => ({ row, content: openedOf(world, row) }))
}

const openedOf = ({ secrets }: World, { kind, object_id: objectId, sealed, sealed_by: sealedBy }: Blocked) =>
  opened(secrets, { kind, objectId, sealed, sealedBy })

function foundIn(person: Person, facts: PolicyFacts, content: PolicyContent, blocked: Blocked | undefined): Found[] {
  const own = content.people.filter(row => isOwn(person, row)).toSorted((a, b) => a.version - b.version)
  const last = own.at(-1)
  if (!last) return []
  const othersIn = (version: number) => content.people.filter(row => row.version === version).length - 1
  // People who were replaced have no part in later versions.
  const isHolder = last.holder && content.people.every(({ version }) => version <= last.version)
  const versions = own.filter(({ holder, version }) => holder || othersIn(version) === 0).map(({ version }) => version)
  return [{ own, versions, copied: policyOf(facts, content, { own, others: othersIn(last.version), isHolder, blocked }) }]
}

type Part = { own: PersonRow[]; others: number; isHolder: boolean; blocked: Blocked | undefined }

function policyOf(facts: PolicyFacts, content: PolicyContent, { own, others, isHolder, blocked }: Part): CopiedPolicy {
  const versions = content.versions.filter(({ version }) => own.some(row => row.version === version))
  return {
    kind: facts.number === null ? 'quote' : 'policy',
    uuid: facts.id,
    number: facts.number,
    product: facts.product_name,
    status: content.policy.status,
    startDate: facts.start_date,
    endDate: facts.end_date,
    savedAt: facts.created_at.toISOString(),
    soldAt: facts.purchased_at?.toISOString() ?? null,
    currency: facts.currency,
    price: isHolder ? fromCents(facts.total_cents) : null,
    otherPeople: others,
    you: own.map(selfOf),
    versions: versions
      .toSorted((a, b) => a.version - b.version)
      .map(({ version, content: { trip = {}, shown } }) => ({
        version,
        trip: copiedTrip(trip),
        demandsAndNeeds: isHolder ? (shown?.demandsAndNeeds ?? null) : null,
      })),
    changes: content.deeds
      .map(({ at, kind, asked, note }) => ({
        at: new Date(at).toISOString(),
        kind,
        asked: isHolder && asked ? withoutPeople(asked) : null,
        note: isHolder ? note : null,
      }))
      .toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    withdrawals: isHolder
      ? content.withdrawals.map(({ at, name, confirm_to: confirmedTo }) => ({ at: new Date(at).toISOString(), name, confirmedTo }))
      : [],
    blocked: blockedAs(blocked),
  }
}

const blockedAs = (row: Blocked | undefined) =>
  row ? { since: row.blocked_at.toISOString(), because: row.cause, erasedOn: row.until } : null

const selfOf = (row: PersonRow): CopiedPolicy['you'][number] => ({
  version: row.version,
  policyholder: row.holder,
  traveller: row.traveller,
  // Safe: each has its copied name, and the value of its kind.
  ...(Object.fromEntries(copiedFields.map(field => [copiedName(field), valueOf(row, field)])) as Omit<
    CopiedPolicy['you'][number],
    'version' | 'policyholder' | 'traveller'
  >),
})

/** A phone is copied with its country code. */
const valueOf = (row: PersonRow, field: CopiedField): string | number | null =>
  field === 'phoneNumber' ? phoneOf(row) || null : (row[personFields[field].column] ?? null)

/** Returns each spelling of a line once. A line of one fact has that fact's value. */
function spellingsOf(rows: readonly PersonRow[], line: PersonLine): (string | number)[] {
  const join = joined[line]
  const field = copiedFields.find(each => personFields[each].line === line)
  return [...new Set(rows.flatMap(row => (join ? join(row) : field && valueOf(row, field)) || []))]
}

const phoneOf = ({ phone_prefix: prefix, phone_number: number }: PersonRow): string =>
  number ? [prefix, number].filter(Boolean).join(' ') : ''
const addressOf = ({ address, zip_code: zip, city, state }: PersonRow): string =>
  [address, [zip, city].filter(Boolean).join(' '), state].filter(Boolean).join(', ')

const emailOf = ({ email }: PersonRow): string => email?.toLowerCase() ?? ''

/** How lines of several facts are written, and lines whose spelling has no meaning. */
const joined: { readonly [line in PersonLine]?: (row: PersonRow) => string } = {
  name: allNamesOfRow,
  email: emailOf,
  phone: phoneOf,
  address: addressOf,
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function copiedTrip(stored: Record<string, unknown>): CopiedPolicy['versions'][number]['trip'] {
  const { startDate, endDate, origin, destinations, amountCents, reservationDate } = tripIn(stored)
  return {
    startDate: startDate ?? null,
    endDate: endDate ?? null,
    countryOfOrigin: origin ?? null,
    destinations: [...(destinations ?? [])],
    insuredCost: amountCents === undefined ? null : fromCents(amountCents),
    bookedOn: reservationDate ?? null,
    reference: textOf(stored['buReference']),
  }
}

/** Leaves out the people that a change names: the versions have the person's own facts. */
function withoutPeople({ change, ...asked }: Record<string, unknown>): Record<string, unknown> {
  if (typeof change !== 'object' || change === null) return asked
  const { users: _, ...rest } = change as { users?: unknown } // Safe: any of its properties may be unknown.
  return { ...asked, change: rest }
}

function ticketOf({ ticket, messages }: TicketContent, blocked?: Blocked): CopiedTicket {
  const language = languageOf(ticket.locale)
  return {
    uuid: ticket.id,
    reference: ticket.reference,
    kind: ticket.kind,
    status: ticket.status,
    policyNumber: ticket.policy_number,
    incidentDate: ticket.incident_date,
    subject: ticket.subject,
    description: ticket.description,
    contact: { name: ticket.contact_name, email: ticket.contact_email, phone: ticket.contact_phone },
    answers: (ticket.form.answers ?? []).map(({ label, name, kind, value, choice }) => ({
      question: label?.[language] ?? name,
      answer: choice?.[language] ?? (kind === 'country' ? countryName(Number(value), ticket.locale) : value) ?? value,
    })),
    messages: messages.map(({ at, from_support: isOurs, body }) => ({
      at: new Date(at).toISOString(),
      from: isOurs ? ('us' as const) : ('you' as const),
      text: body,
    })),
    openedAt: new Date(ticket.created_at).toISOString(),
    blocked: blockedAs(blocked),
  }
}

/** Returns the names that blocking took away from files. */
const sealedNames = (contents: Record<string, unknown>[]): Map<string, string> =>
  new Map(contents.flatMap(content => (asTicket(content).files ?? []).map(({ id, name }) => [id, name])))

const distinct = (texts: string[]): string[] => [...new Set(texts.filter(Boolean))]
