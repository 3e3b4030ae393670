import type { RequestOf, ResponseSentOf } from '#common/kit/call.ts'
import { today } from '#common/kit/dates.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/privacy/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import { type PrivacyUnitTx, within } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, scopeOf } from '#server/session/public.ts'
import { comparable, type Facts, hashesOf } from '../facts.ts'
import { keyOf, type Person } from './key.ts'
import {
  blockedBy,
  type BlockedRow,
  factsNow,
  holdsOf,
  mailsTo,
  placesOf,
  type PlaceRow,
  type Sighting,
  sightingsOf,
  unitsToSearch,
} from './queries.ts'

type Found = ResponseSentOf<typeof calls.findPersons>['persons'][number]
type Ask = RequestOf<typeof calls.findPersons>

const mostPersons = 20

/** Finds persons by at least two facts that all agree. The search is audited without the facts themselves. */
export const findPersons =
  (world: World): Handler<typeof calls.findPersons> =>
  async input => {
    const facts = factsIn(input.ask)
    const persons = await world.database.asPrivacy(async tx => {
      const found: Found[] = []
      for (const { id, brandName } of await unitsToSearch(tx, input.ask.businessUnitUuid))
        found.push(...(await personsOf(world, within(tx, scopeOf(id)), facts, { uuid: id, brandName })))
      const by = Object.entries(facts).flatMap(([fact, value]) => (value === null ? [] : [fact]))
      await audit(world, tx, input, { action: 'privacy.found', outcome: 'done', details: { by, persons: found.length } })
      return found
    })
    return { persons: persons.slice(0, mostPersons), more: persons.length > mostPersons }
  }

function factsIn({ name, docNumber, email, birthDate }: Ask): Facts {
  const facts = comparable({ name: name ?? null, document: docNumber ?? null, email: email ?? null, birthDate: birthDate ?? null })
  const given = Object.values(facts).filter(value => value !== null)
  if (given.length < 2) throw refuseFields([{ path: 'name', rule: 'required', key: 'privacy.two_facts' }])
  return facts
}

async function personsOf(world: World, tx: PrivacyUnitTx, facts: Facts, businessUnit: Found['businessUnit']): Promise<Found[]> {
  const persons: Found[] = []
  for (const [person, sightings] of distinguished(await sightingsOf(world.secrets, tx, facts), tx.businessUnitId)) {
    const ids = [...new Set(sightings.map(({ policy_id: id }) => id))]
    const places = await placesOf(tx, ids, person)
    const blocked = await blockedOf(world, tx, person)
    const mails = await mailsTo(tx, person, [])
    persons.push({
      personKey: keyOf(world.secrets, person),
      businessUnit,
      name: sightings[0]?.shown ?? null,
      birthDate: person.birthDate,
      docNumber: person.document,
      emails: person.emails,
      where: await placed(world, tx, [...places, ...blocked]),
      mails: mails.length,
      facts: await factsNow(world.secrets, tx, person),
    })
  }
  if (persons.length > 0) return persons
  // A person may be in blocked data alone, which does not show names, so the facts of the search stand for the person.
  const blocked = await blockedBy(tx, hashesOf(world.secrets, tx.businessUnitId, facts))
  if (blocked.length === 0) return []
  const person: Person = { ...facts, unitId: tx.businessUnitId, emails: facts.email === null ? [] : [facts.email] }
  return [
    {
      personKey: keyOf(world.secrets, person),
      businessUnit,
      name: null,
      birthDate: null,
      docNumber: null,
      emails: [],
      where: await placed(world, tx, blocked),
      mails: 0,
      facts: null,
    },
  ]
}

/** Distinguishes persons by document and birth date, or without a document by name and birth date. */
function distinguished(sightings: Sighting[], unitId: string): [Person, Sighting[]][] {
  const groups = new Map<string, Sighting[]>()
  for (const sighting of sightings) {
    const { document, name, birth_date: birthDate } = sighting
    const key = JSON.stringify([document ?? name, document === null, birthDate])
    groups.set(key, [...(groups.get(key) ?? []), sighting])
  }
  return [...groups.values()].map(group => {
    const [first] = group
    const emails = [...new Set(group.flatMap(({ email }) => (email ? [email] : [])))]
    return [{ unitId, document: first?.document ?? null, birthDate: first?.birth_date ?? null, name: first?.name ?? null, emails }, group]
  })
}

/** Finds a person's blocked data, by all that is known of the person. */
export async function blockedOf({ secrets }: World, tx: PrivacyUnitTx, person: Person): Promise<BlockedRow[]> {
  const all = person.emails.length === 0 ? [null] : person.emails
  const found = new Map<string, BlockedRow>()
  for (const email of all)
    for (const row of await blockedBy(tx, hashesOf(secrets, tx.businessUnitId, { ...person, email }))) found.set(row.blocked_id, row)
  return [...found.values()]
}

/** Returns the places with their holds. */
async function placed(world: World, tx: PrivacyUnitTx, rows: (PlaceRow | BlockedRow)[]): Promise<Found['where']> {
  const day = today(world.businessClock.now(), 'UTC')
  const ids = rows.map(({ id }) => id)
  const holds = await holdsOf(tx, ids, day)
  return rows.map(({ kind, id, number, until, status, ...rest }) => ({
    kind,
    uuid: id,
    number,
    until,
    blocked: status === 'blocked',
    hold: holds.get(id) ?? null,
    erasedOn: 'erased_on' in rest ? rest.erased_on : null,
  }))
}
