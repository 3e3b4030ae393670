import { may } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { joinNames, searchable } from '#common/kit/text.ts'
import type { alreadyInsured } from '#common/policies/people-calls.ts'
import { ownOnly } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { numberSought } from '#server/kit/sealed/document-numbers.ts'
import { offeredProducts } from '#server/products/public.ts'
import { audit } from '#server/session/public.ts'
import { peopleInsured } from './queries.ts'

/** Finds sold policies of the same people, product and days, as far as the caller may see them. The portal shows a notice and sells all the same. */
export const findInsured =
  (world: World): Handler<typeof alreadyInsured> =>
  async input => {
    const { ask, caller } = input
    const { scope, permissions } = caller.unit
    const numbers = ask.people.flatMap(({ docNumber }) => (docNumber ? [numberSought(world.secrets, scope.businessUnitId, docNumber)] : []))
    const named = ask.people.flatMap(({ name, middleName, lastName, birthDate }) =>
      name && middleName && birthDate ? { name: searchable(joinNames(middleName, lastName, name)), birthDate } : [],
    )
    if (!may(permissions, 'b2b-policies-sold-view')) return { policies: [] }
    await world.spend(caller, 'looks')
    const productUUID = ask.productUUID.toLowerCase()
    const filter = { ...ask, productUUID, numbers, named, own: ownOnly(caller) }
    const rows = await world.database.inScope(scope, async tx => {
      if (!(await offeredProducts(tx)).some(({ id }) => id === productUUID)) throw new Refusal('request.not_found')
      if (numbers.length + named.length === 0) return []
      return (await peopleInsured(scope, filter).execute(tx)).rows
    })
    if (rows.length > 0)
      await world.database.asService(tx =>
        audit(world, tx, input, {
          action: 'people.seen',
          outcome: 'done',
          details: { by: 'insured', seen: rows.flatMap(({ id, positions }) => positions.map(position => `${id}/${position}`)) },
        }),
      )
    return {
      policies: rows.map(row => ({
        policyUuid: row.id,
        policyNumber: row.number,
        startDate: row.start_date,
        endDate: row.end_date,
        people: row.people,
      })),
    }
  }
