import { setTimeout as delay } from 'node:timers/promises'
import { fromCents } from '#common/kit/money.ts'
import { paidFor } from '#common/quotes/price-lines.ts'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { isDataError, together } from '#server/kit/sql/together.ts'
import type { Priced } from './price-for-unit.ts'
import { findQuote, insertQuotes, type QuoteRow } from './queries.ts'

const validMs = 24 * 3_600_000

/** Returns a price as calls send it. */
export const quoteOf = (
  id: string,
  { productId, currency, price, commission }: Priced,
  { startDate, endDate }: Pick<TripSent, 'startDate' | 'endDate'>,
  validUntil: Date,
): Quote => ({
  quoteUUID: id,
  productUUID: productId,
  startDate,
  endDate,
  currency,
  ...paidFor(price),
  commission: { rate: commission.rate, amount: fromCents(commission.amount) },
  travelDays: price.travelDays,
  zone: price.zone,
  perTraveller: price.perTraveller.map(({ birthDate, premium }) => ({ birthDate, premium: fromCents(premium) })),
  provisional: price.provisional,
  validUntil: validUntil.toISOString(),
})

/** Returns a new quote, valid for 24 hours, as the response and as the row to store. */
export function makeQuote(
  { ids, clock }: Pick<World, 'ids' | 'clock'>,
  by: { scope: Scope; userId: string },
  ask: TripSent,
  priced: Priced,
): { quote: Quote; row: QuoteRow } {
  const now = clock.now()
  const until = new Date(now.getTime() + validMs)
  const quote = quoteOf(ids.next(), priced, ask, until)
  const row: QuoteRow = {
    business_unit_id: by.scope.businessUnitId,
    id: quote.quoteUUID,
    user_id: by.userId,
    product_id: priced.productId,
    tariff_version: priced.price.tariffVersion,
    created_at: now,
    valid_until: until,
    question: ask,
    answer: quote,
  }
  return { quote, row }
}

/** The time during which quotes are gathered before they are written. */
const gatherMs = 50
/** The time until the next attempt if they could not be written. */
const retryMs = 1_000
/** The number of unwritten quotes from which on a new one waits until it is written. */
const mostUnwritten = 5_000
const mostAtOnce = 500
/** The waits before a quote that is not found is looked for again: another node may not have written it yet. */
const lookAgainAfterMs = [60, 140, 400]
const youngMs = 2_000

export type QuoteStore = {
  /** Keeps quotes, and writes them a moment later. After a failed write, it waits until these are written. */
  keep(rows: QuoteRow[]): Promise<void>
  /** Finds a quote of the unit, even one that a node has just made. */
  find(scope: Scope, id: string): Promise<Quote | undefined>
  /** Writes the quotes that are kept. */
  stop(): Promise<void>
}

/**
 * Opens the quotes' store (decision 10). A quote does not bind, so its response does not wait for the disk. It is lost if the process dies within the
 * moment before it is written.
 */
export function openQuoteStore(world: Pick<World, 'database' | 'clock' | 'realTime' | 'elapsed' | 'log'>): QuoteStore {
  const { database, clock, realTime, log } = world
  const write = openQuoteWriter(world)
  /** Kept as JSON, which is smaller than the objects. */
  const unwritten = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let hasFailed = false

  function writeAfter(ms: number): void {
    timer ??= setTimeout(() => {
      writing = writeAll()
    }, ms)
    timer.unref()
  }

  async function writeAll(): Promise<void> {
    const rows = [...unwritten]
    const outcomes = await Promise.allSettled(rows.map(([, row]) => write([row])))
    const errors = outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []))
    const failedBefore = hasFailed
    hasFailed = errors.some(error => !isDataError(error))
    rows.forEach(([id], index) => {
      const outcome = outcomes[index]
      if (outcome?.status === 'fulfilled' || isDataError(outcome?.reason)) unwritten.delete(id)
    })
    if (errors.length > 0 && !failedBefore) log.error({ err: errors[0], quotes: errors.length }, 'quotes could not be written')
    timer = undefined
    if (unwritten.size > 0) writeAfter(hasFailed ? retryMs : gatherMs)
  }

  async function findOnce(scope: Scope, id: string): Promise<Quote | undefined> {
    const kept = unwritten.get(id)
    // Safe: `keep` has written it.
    const row = kept === undefined ? undefined : (JSON.parse(kept) as QuoteRow)
    if (row?.business_unit_id === scope.businessUnitId && new Date(row.valid_until) > clock.now()) return row.answer
    return database.inScope(scope, (tx: UnitTx) => findQuote(tx, id, clock.now()))
  }

  /** Returns whether an id was made just now, by the time in it. */
  const isYoung = (id: string): boolean =>
    Math.abs(realTime.now().getTime() - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) < youngMs

  return {
    async keep(rows) {
      if (hasFailed || unwritten.size >= mostUnwritten) {
        if (rows.length > 0) await write(rows.map(row => JSON.stringify(row)))
        return
      }
      for (const row of rows) unwritten.set(row.id, JSON.stringify(row))
      writeAfter(gatherMs)
    },
    async find(scope, id) {
      const name = id.toLowerCase()
      for (const ms of lookAgainAfterMs) {
        const quote = await findOnce(scope, name)
        if (quote || !isYoung(name)) return quote
        await delay(ms)
      }
      return findOnce(scope, name)
    },
    async stop() {
      clearTimeout(timer)
      await writing
      await writeAll()
      clearTimeout(timer)
    },
  }
}

/** Opens a writer of quotes. A single one is written at once; concurrent ones share a statement and a commit. */
export function openQuoteWriter(world: Pick<World, 'database' | 'elapsed'>): (rows: string[]) => Promise<void> {
  return together(world, mostAtOnce, async (alone, all: string[][]) => {
    await alone(insertQuotes(all.flat()))
    return all.map(() => {})
  })
}
