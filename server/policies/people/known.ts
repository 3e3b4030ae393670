import { may } from '#common/kit/permissions.ts'
import { searchable } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import type { knownCompanions, knownPeople } from '#common/policies/people-calls.ts'
import { leastSearched } from '#common/policies/search.ts'
import { ownOnly } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { demandStatus, visibleStatuses } from '../visibility.ts'
import { numberSought, openedPerson } from '#server/kit/sealed/document-numbers.ts'
import type { PersonRow } from '../queries.ts'
import { companionsOf, peopleKnown } from './queries.ts'
import { personReply, withoutContact } from '../reply.ts'

/** Finds people of the unit's visible policies, to fill in forms. Every search is audited. */
export const searchPeople =
  (world: World): Handler<typeof knownPeople> =>
  async input => {
    const { ask, caller } = input
    const { scope, permissions } = caller.unit
    const statuses = visibleStatuses(permissions)
    if (statuses.length === 0) await demandStatus(world, input, 'purchased', 'POST /api/people')
    await world.spend(caller, 'looks')
    const text = ask.by === 'document' ? documentNumberSent(ask.search.replaceAll(/[\s.-]/g, '')) : searchable(ask.search)
    const by = ask.by === 'document' ? { number: numberSought(world.secrets, scope.businessUnitId, text) } : { prefix: text }
    const filter = { by, company: ask.as === 'company', statuses, own: ownOnly(caller) }
    const found =
      text.length < leastSearched
        ? []
        : await world.database.inScope(scope, async tx => (await peopleKnown(scope, filter).execute(tx)).rows)
    const people = onceEach(found.map(person => openedPerson(world.secrets, person)))
    await auditSearch(world, input, people)
    const replies = people.map(personReply)
    return { people: ask.as === 'traveller' ? replies.map(withoutContact) : replies }
  }

/** Leaves out people found twice because a number is in clear, or hashed with a former key. */
const onceEach = (people: PersonRow[]): PersonRow[] =>
  // The newest comes first.
  people.filter(({ document_number }, index) => people.findIndex(each => each.document_number === document_number) === index)

/** Audits the found people by policy and position, never by name, and not what was typed. */
const auditSearch = (world: World, input: HandlerInput<typeof knownPeople>, people: PersonRow[]) =>
  world.database.asService(tx =>
    audit(world, tx, input, {
      action: 'people.seen',
      outcome: 'done',
      details: { by: input.ask.by, as: input.ask.as, seen: people.map(({ policy_id, position }) => `${policy_id}/${position}`) },
    }),
  )

/** Finds the people who travelled with a person by sold policies that the caller may see, so that no one is typed twice. */
export const findCompanions =
  (world: World): Handler<typeof knownCompanions> =>
  async input => {
    const { ask, caller } = input
    const { scope, permissions } = caller.unit
    if (!may(permissions, 'b2b-policies-sold-view')) return { people: [] }
    await world.spend(caller, 'looks')
    const filter = { number: numberSought(world.secrets, scope.businessUnitId, ask.docNumber), own: ownOnly(caller) }
    const people = await world.database.inScope(scope, async tx => (await companionsOf(scope, filter).execute(tx)).rows)
    if (people.length > 0)
      await world.database.asService(tx =>
        audit(world, tx, input, {
          action: 'people.seen',
          outcome: 'done',
          details: { by: 'companion', seen: people.map(({ policy_id, position }) => `${policy_id}/${position}`) },
        }),
      )
    return {
      people: people.map(person => {
        const { name, middleName, lastName, birthDate, docNumber, documentKind } = personReply(openedPerson(world.secrets, person))
        return { name, middleName, lastName, birthDate, docNumber, documentKind }
      }),
    }
  }
