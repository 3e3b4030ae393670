import type { ReplySent } from '#common/kit/call.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { searchable } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import { type knownPeople, leastSearched } from '#common/policies/people-calls.ts'
import type { World } from '#server/kit/front.ts'
import type { Asked, Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { demandStatus, ownOnly, seenStatuses } from '../find/seen.ts'
import { type KnownPerson, looksSince, peopleKnown } from './rows.ts'

type Known = ReplySent<typeof knownPeople>['people'][number]

const action = 'people.seen'
/** Faster than anybody fills forms in; whoever collects addresses is held up. */
const looksAMinute = 60

/** Whom the unit knows already, for whoever sees the policies that they are known from. Who looked at whom is written down. */
export const known =
  (world: World): Handler<typeof knownPeople> =>
  async asked => {
    const { ask, caller } = asked
    const { scope, permissions } = caller.unit
    const statuses = seenStatuses(permissions)
    if (statuses.length === 0) await demandStatus(world, asked, 'purchased', 'POST /api/people')
    await hold(world, caller.userId)
    const beginning = ask.by === 'document' ? documentNumberSent(ask.search.replaceAll(/[\s.-]/g, '')) : searchable(ask.search)
    const wanted = { by: ask.by, beginning, company: ask.as === 'company', statuses, own: ownOnly(caller) }
    const people =
      beginning.length < leastSearched
        ? []
        : await world.database.inScope(scope, async tx => (await peopleKnown(scope, wanted).execute(tx)).rows)
    await noteLook(world, asked, people)
    return { people: people.map(person => knownOf(person, ask.as !== 'traveller')) }
  }

async function hold(world: World, userId: string): Promise<void> {
  const since = new Date(world.clock.now().getTime() - 60_000)
  const looks = await world.database.asService(tx => looksSince(tx, userId, action, since))
  if (looks >= looksAMinute) throw new Refusal('request.too_many', { retryAfter: 60 })
}

/** By the places they stand at, not by what they are called; nor is what was typed kept. */
const noteLook = (world: World, asked: Asked<typeof knownPeople>, people: KnownPerson[]) =>
  world.database.asService(tx =>
    audit(world, tx, asked, {
      action,
      outcome: 'done',
      details: { by: asked.ask.by, as: asked.ask.as, seen: people.map(({ policy_id, position }) => `${policy_id}/${position}`) },
    }),
  )

function knownOf(person: KnownPerson, reachable: boolean): Known {
  const reach = (text: string | null) => (reachable ? (text ?? '') : '')
  return {
    name: person.name ?? '',
    middleName: person.middle_name ?? '',
    lastName: person.last_name ?? '',
    companyName: person.company_name ?? '',
    birthDate: person.birth_date,
    docNumber: person.document_number ?? '',
    email: reach(person.email),
    phonePrefix: reach(person.phone_prefix),
    phoneNumber: reach(person.phone_number),
    address: reach(person.address),
    city: reach(person.city),
    state: reach(person.state),
    zipCode: reach(person.zip_code),
  }
}
