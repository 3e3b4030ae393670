import { sql } from 'kysely'
import type * as calls from '#common/privacy/calls.ts'
import { type Outcome, takesAway } from '#common/privacy/outcome.ts'
import type { World } from '#server/kit/app-context.ts'
import { type PrivacyUnitTx, within } from '#server/kit/database.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { audit, scopeOf } from '#server/session/public.ts'
import { copiesWaiting, recallCopies } from '../copy/recall.ts'
import { queueLetter } from '../letters/send.ts'
import { eraseBudgets } from '../retention/batches.ts'
import { blockPolicies } from '../retention/block-policies.ts'
import { blockTickets } from '../retention/block-tickets.ts'
import type { UnitDay } from '../retention/due.ts'
import type { Suppressions } from '../suppressions.ts'
import type { Cause, RequestKind } from '../tables.ts'
import { dayOf, type Judged, judgeToday } from './judge.ts'
import { keepRequest } from './keep.ts'
import { type Person, personIn } from './key.ts'
import { contactOf, deleteMails, localeOf } from './queries.ts'

type Blocking = typeof calls.erasePerson | typeof calls.objectForPerson | typeof calls.restrictPerson

/** Says what an erasure would do. */
export const previewErasure =
  (world: World): Handler<typeof calls.previewErasure> =>
  input => {
    const person = personIn(world.secrets, input.ask.personKey)
    return world.database.asPrivacy(async tx => {
      await audit(world, tx, input, { action: 'privacy.previewed', outcome: 'done', businessUnitId: person.unitId })
      const unit = within(tx, scopeOf(person.unitId))
      const judged = await judgeErasure(world, unit, person)
      const outcome = outcomeOf(judged)
      return { ...outcome, copies: takesAway(outcome) ? await copiesWaiting(world, unit, person) : 0 }
    })
  }

export const erasePerson = (world: World, suppressions: Suppressions): Handler<typeof calls.erasePerson> =>
  answering(world, suppressions, { kind: 'erase', cause: 'erasure', reasonIn: ({ ask }) => ask.reason })

export const objectForPerson = (world: World, suppressions: Suppressions): Handler<typeof calls.objectForPerson> =>
  answering(world, suppressions, { kind: 'object', cause: 'objection', reasonIn: ({ ask }) => ask.what })

export const restrictPerson = (world: World, suppressions: Suppressions): Handler<typeof calls.restrictPerson> =>
  answering(world, suppressions, { kind: 'restrict', cause: 'restriction', reasonIn: ({ ask }) => ask.reason })

type Answer<C extends Blocking> = { kind: RequestKind; cause: Cause; reasonIn: (input: HandlerInput<C>) => string }

/** Carries out a request in one transaction, and stores it with its outcome. A refused part can be requested again. */
const answering =
  <C extends Blocking>(world: World, suppressions: Suppressions, { kind, cause, reasonIn }: Answer<C>) =>
  (input: HandlerInput<C>) => {
    const person = personIn(world.secrets, input.ask.personKey)
    return world.database.asPrivacy(async tx => {
      const unit = within(tx, scopeOf(person.unitId))
      await lockPlaces(unit, (await judgeErasure(world, unit, person)).items)
      // Judged again under the locks, as another request, a change or the retention may have come first.
      const judged = await judgeErasure(world, unit, person)
      const locale = await localeOf(unit, judged.items)
      // Read before anything is erased.
      const to = await contactOf(world.secrets, unit, person)
      await carryOut(world, unit, judged, cause, await dayOf(world, unit))
      const outcome = outcomeOf(judged)
      // A refusal is an answer, too.
      const answered = isRefused(judged) ? { isDone: true } : {}
      const requestUuid = await keepRequest(world, unit, input, { kind, reason: reasonIn(input), locale, outcome, ...answered })
      await queueLetter(world, unit, { requestUuid, kind, locale, to })
      const recalled = cause === 'erasure' && takesAway(outcome) ? await recallCopies(world, unit, input, person) : []
      // Listed before the commit, so that no restored copy keeps erased data. If the commit fails, the request is sent again.
      await suppressions.add([
        ...recalled,
        ...judged.mailIds.map(id => ({ unit: person.unitId, kind: 'mail' as const, id })),
        ...judged.items.flatMap(({ kind: of, uuid: object, outcome: what }) =>
          what === 'erased' || what === 'blocked' ? [{ unit: person.unitId, kind: of, id: object }] : [],
        ),
      ])
      return { ...outcome, requestUuid }
    })
  }

/** Judges an erasure. One that is refused as a whole deletes no other email either. */
async function judgeErasure(world: World, tx: PrivacyUnitTx, person: Person): Promise<Judged> {
  const judged = await judgeToday(world, tx, person)
  return isRefused(judged) ? { ...judged, mailIds: [] } : judged
}

/** True if every part is refused. Parts that were blocked before do not count. */
function isRefused({ items }: Judged): boolean {
  const open = items.filter(({ blocked }) => !blocked)
  return open.length > 0 && open.every(({ outcome }) => outcome === 'refused')
}

/** Locks everything of a person in the order of the ids, so that concurrent requests cannot deadlock. */
async function lockPlaces(tx: PrivacyUnitTx, items: Judged['items']): Promise<void> {
  const ids = items.map(({ uuid }) => uuid)
  for (const table of ['policies', 'tickets'])
    await sql`
      select from ${sql.table(table)} where business_unit_id = ${tx.businessUnitId} and id = any(${ids}::uuid[]) order by id for update`.execute(
      tx,
    )
}

async function carryOut(world: World, tx: PrivacyUnitTx, { items, mailIds }: Judged, cause: Cause, day: UnitDay): Promise<void> {
  const of = (kind: string, outcome: string) =>
    items.filter(item => item.kind === kind && item.outcome === outcome && !item.blocked).map(({ uuid }) => uuid)
  const budgets = of('budget', 'erased')
  if (budgets.length > 0) await eraseBudgets(world, tx, budgets, day)
  await blockTickets(world, tx, of('ticket', 'blocked'), cause)
  await blockPolicies(world, tx, of('policy', 'blocked'), { country: day.country, cause })
  if (mailIds.length > 0) await deleteMails(tx, mailIds)
}

const outcomeOf = ({ items, mailIds }: Judged): Outcome => ({ items, mails: mailIds.length })
