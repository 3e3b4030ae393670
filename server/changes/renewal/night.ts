import { addDays, today } from '#common/kit/dates.ts'
import { renewDays } from '#common/changes/renew.ts'
import { momentOn } from '#common/kit/moment-on.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import { heldSince } from '#server/kit/work/jobs.ts'
import { scopeOf } from '#server/session/public.ts'
import { renewalDue } from './judge.ts'
import { mailReminder } from './mails.ts'
import { activeUnits, type Due, renewalsToRemind, takeDue, termProducts, type Unit } from './queries.ts'

/** The hour of the unit's day from which on next terms are offered. */
const hour = 6
/** Policies of a transaction. A sale or a change that waits for one of them waits for a moment only. */
const batch = 100
/** The days before the end from which a client is reminded. */
const remindDays = 14

/**
 * Returns the work of each round: once a day, from six in the unit's morning, it hands to jobs the policies whose next term is to be judged, and reminds of
 * renewals. Any number of nodes may do so at once. After an outage the next round does it. Suspended units, and all while jobs are held, wait.
 */
export function openRenewals(world: World): () => Promise<void> {
  const done = new Map<string, string>()
  return async () => {
    const { database, clock, log } = world
    if (await heldSince(database.shared)) return
    const now = clock.now()
    const isDue = ({ id, timeZone }: Unit): boolean => {
      const day = today(now, timeZone)
      return done.get(id) !== day && now >= momentOn(day, hour, timeZone)
    }
    const { units, products } = await database.asService(async tx => {
      const units = (await activeUnits(tx)).filter(isDue)
      return { units, products: units.length > 0 ? await termProducts(tx) : [] }
    })
    if (products.length === 0) return
    for (const { id, timeZone } of units) {
      const day = today(now, timeZone)
      try {
        await judgeIn(world, scopeOf(id), products, day)
        await remindIn(world, scopeOf(id), { day, timeZone })
        done.set(id, day)
      } catch (err) {
        // A unit that fails does not delay the others, and is retried in the next round.
        log.error({ err, businessUnitId: id }, 'renewals could not be offered')
      }
    }
  }
}

async function judgeIn({ database, outbox }: World, scope: Scope, products: string[], day: string): Promise<void> {
  const days = { products, from: day, to: addDays(day, renewDays), limit: batch }
  for (let after: Due | undefined, isMore = true; isMore; ) {
    const due = await database.inScope(scope, async tx => {
      const taken = await takeDue(tx, { ...days, after })
      await Promise.all(taken.map(({ id, version }) => outbox.publish(tx, renewalDue, { policyId: id, version })))
      return taken
    })
    after = due.at(-1)
    isMore = due.length === batch
  }
}

/** Reminds each client once of an unsold renewal: its email has the same id on every node. */
async function remindIn(world: World, scope: Scope, today: { day: string; timeZone: string }): Promise<void> {
  const first = '00000000-0000-0000-0000-000000000000'
  for (let after: string | undefined = first; after; )
    after = await world.database.inScope(scope, async tx => {
      const renewals = await renewalsToRemind(tx, { ...today, daysBefore: remindDays, after: after ?? first, limit: batch })
      for (const renewal of renewals) await mailReminder(world, tx, renewal)
      return renewals.length === batch ? renewals.at(-1)?.id : undefined
    })
}
