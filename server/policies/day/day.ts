import type { ResponseSentOf } from '#common/kit/call.ts'
import { addDays, daysBetween, today } from '#common/kit/dates.ts'
import { fromCents } from '#common/kit/money.ts'
import { may } from '#common/kit/permissions.ts'
import type * as calls from '#common/policies/day-calls.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { ownOnly } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { rowOf } from '../reply.ts'
import { auditListed } from '#server/session/public.ts'
import { policiesById } from '../list/queries.ts'
import { seesCommission } from '../visibility.ts'
import { departing, failedMails, type Task, tasksOf } from './queries.ts'

type Day = ResponseSentOf<typeof calls.policyDay>

/** The days after today. */
const daysAhead = 6

const soldStatuses: StoredStatus[] = ['purchased']
/** Unsold policies can be sold until the trip begins. */
const unsoldStatuses: StoredStatus[] = ['budgeted', 'pending']
const isUnsold = (status: StoredStatus): boolean => unsoldStatuses.includes(status)

/** Returns what needs attention today, as far as the caller may see it. */
export const day =
  (world: World): Handler<typeof calls.policyDay> =>
  input => {
    const { caller } = input
    const { scope, permissions } = caller.unit
    const seesSold = may(permissions, 'b2b-policies-sold-view')
    const seesDrafts = may(permissions, 'b2b-policies-draft-view')
    return world.database.inScope(scope, async tx => {
      const { timeZone } = await unitSettings(tx)
      const now = world.clock.now()
      const [from, own] = [today(now, timeZone), ownOnly(caller)]
      const to = addDays(from, daysAhead)
      const within = async (statuses: StoredStatus[]) => {
        const { total, ids } = await departing(tx, { own, statuses, from, to })
        return { total, policies: (await policiesById(tx, ids)).map(row => rowOf(row, seesCommission(caller))) }
      }
      const statuses = [...(seesSold ? [...soldStatuses, 'cancelled' as const] : []), ...(seesDrafts ? unsoldStatuses : [])]
      const since = new Date(now.getTime() - daysAhead * 86_400_000)
      const { total, mails } = await failedMails(tx, { own, statuses, since })
      const unsold = seesDrafts ? unsoldStatuses : []
      const tasks = await tasksOf(tx, { userId: caller.userId, own, unsold, visible: statuses, from, to, since, timeZone })
      const departures = seesSold ? await within(soldStatuses) : null
      const lapsing = seesDrafts ? await within(unsoldStatuses) : null
      const shown = [tasks.tasks, departures?.policies, lapsing?.policies, mails].reduce((sum, each) => sum + (each?.length ?? 0), 0)
      await auditListed(
        world,
        tx,
        input,
        { action: 'policies.listed' },
        { day: from, ...(own === undefined ? {} : { ownOnly: true }), shown },
      )
      return {
        from,
        to,
        tasks: { total: tasks.total, amount: fromCents(tasks.amount), items: tasks.tasks.map(task => taskOf(task, { from, timeZone })) },
        departures,
        lapsing,
        failedMails: { total, mails: mails.map(mailOf) },
      }
    })
  }

type Today = { from: string; timeZone: string }

function taskOf(task: Task, { from, timeZone }: Today): Day['tasks']['items'][number] {
  const { id, kind, status, taker, product_id, product_name, start_date, total_cents, until } = task
  return {
    kind,
    policyUuid: id,
    policyTaker: taker,
    productUuid: product_id,
    productName: product_name,
    startDate: start_date,
    amount: fromCents(total_cents),
    days: until ? daysBetween(from, today(until, timeZone)) : Math.max(daysBetween(from, start_date), 0),
    isBudget: isUnsold(status),
  }
}

type Mail = Awaited<ReturnType<typeof failedMails>>['mails'][number]

const mailOf = ({ id, at, recipient_address, subject, about, status }: Mail): Day['failedMails']['mails'][number] => ({
  uuid: id,
  at: at.toISOString(),
  to: recipient_address,
  subject: subject ?? '',
  policyUuid: about,
  isBudget: isUnsold(status),
})
