import type * as calls from '#common/policies/calls.ts'
import { nearPatterns, nearWord } from '#common/policies/near.ts'
import { countedAtOnce } from '#common/views/views.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { auditListed } from '#server/session/public.ts'
import { policyCounts } from '../queries.ts'
import { rowOf } from '../reply.ts'
import { ownOnly, seesCommission, visibleStatuses } from '../visibility.ts'
import { nearIds, policiesById } from './queries.ts'

/** Returns policies with a similar word, among as many policies as a list also searches at once. */
export const near =
  (world: World): Handler<typeof calls.nearPolicies> =>
  input => {
    const { ask, caller } = input
    const word = nearWord(ask.searchData ?? '')
    return world.database.inScope(caller.unit.scope, async tx => {
      const statuses = visibleStatuses(caller.unit.permissions)
      const counts = await policyCounts(tx)
      const among = statuses.reduce((sum, status) => sum + counts[status], 0)
      if (word === undefined || among > countedAtOnce) return { policies: [] }
      const rows = await policiesById(tx, await nearIds(tx, nearPatterns(word), { statuses, sellerId: ownOnly(caller) }))
      await auditListed(world, tx, input, { action: 'policies.listed' }, { statuses, searched: true, shown: rows.length })
      return { policies: rows.map(row => rowOf(row, seesCommission(caller))) }
    })
  }
