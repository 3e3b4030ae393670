import { searchable } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import type { knownPeople } from '#common/policies/people-calls.ts'
import { leastSearched } from '#common/policies/search.ts'
import type { World } from '#server/kit/front.ts'
import type { Asked, Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { demandStatus, ownOnly, visibleStatuses } from '../visibility.ts'
import { type KnownPerson, peopleKnown } from './queries.ts'
import { personReply } from './reply.ts'

/** Whom the unit knows already, for whoever sees the policies that they are known from. Who looked at whom is written down. */
export const known =
  (world: World): Handler<typeof knownPeople> =>
  async asked => {
    const { ask, caller } = asked
    const { scope, permissions } = caller.unit
    const statuses = visibleStatuses(permissions)
    if (statuses.length === 0) await demandStatus(world, asked, 'purchased', 'POST /api/people')
    await world.spend(caller, 'looks')
    const beginning = ask.by === 'document' ? documentNumberSent(ask.search.replaceAll(/[\s.-]/g, '')) : searchable(ask.search)
    const wanted = { by: ask.by, beginning, company: ask.as === 'company', statuses, own: ownOnly(caller) }
    const people =
      beginning.length < leastSearched
        ? []
        : await world.database.inScope(scope, async tx => (await peopleKnown(scope, wanted).execute(tx)).rows)
    await noteLook(world, asked, people)
    return { people: people.map(person => ({ ...personReply(person), ...(ask.as === 'traveller' ? unreachable : {}) })) }
  }

/** By the places they stand at, not by what they are called; nor is what was typed kept. */
const noteLook = (world: World, asked: Asked<typeof knownPeople>, people: KnownPerson[]) =>
  world.database.asService(tx =>
    audit(world, tx, asked, {
      action: 'people.seen',
      outcome: 'done',
      details: { by: asked.ask.by, as: asked.ask.as, seen: people.map(({ policy_id, position }) => `${policy_id}/${position}`) },
    }),
  )

/** Of whom one only travels with, not where and how he is reached. */
const unreachable = { email: '', phonePrefix: '', phoneNumber: '', address: '', city: '', state: '', zipCode: '' }
