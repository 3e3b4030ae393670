import { may } from '#common/kit/permissions.ts'
import type { knownCompanions } from '#common/policies/people-calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { ownOnly } from '../visibility.ts'
import { numberSought } from '#server/kit/sealed/document-numbers.ts'
import { companionsOf } from './queries.ts'
import { personReply } from '../reply.ts'
import { openedPerson } from '../sealed/columns.ts'

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
