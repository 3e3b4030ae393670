import type * as calls from '#common/accounting/calls.ts'
import { type Match, type matchList, type MatchProblem, type MatchRow, mostLines, type OwnPolicy } from '#common/accounting/match/match.ts'
import { addDays, startOfDay } from '#common/kit/dates.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { type TaskOf, TooHeavy } from '#server/kit/workers/workers.ts'
import { auditListed } from '#server/session/public.ts'
import { policySums, spanOf } from '../detail/queries.ts'
import { monthsOf } from '../earnings/earnings.ts'
import { inSpan, inWindow } from '../queries.ts'
import { ownOnly } from '#server/kit/caller.ts'
import { standingOf } from '../statements/standing.ts'

type Input = HandlerInput<typeof calls.accountingMatch>

/** The most policies in a response, those that differ first. */
const mostRows = 5000

/** The unclear lines that a response names. */
const mostUnclear = 20

/** Compares an agency's own list with a statement, or with a period. The list is read in another thread, and not kept. */
export const match =
  (world: World): Handler<typeof calls.accountingMatch> =>
  async input => {
    const { currency, policies } = await world.database.inScope(input.caller.unit.scope, async tx => {
      const found = await policiesOf(world, tx, input)
      const { statement, from, to } = input.ask
      const details = statement ? { statement } : { from, to }
      await auditListed(world, tx, input, { action: 'accounting.listed', always: true }, { ...details, shown: found.policies.length })
      return found
    })
    if (policies.length > mostLines) throw refuseFields([problemOf({ fault: 'many' })])
    const { problems, unclear, rows } = await compare(world, input.caller.userId, input.ask.csv, { policies, currency })
    if (problems.length > 0) throw refuseFields(problems.map(problemOf))
    const count = (state: MatchRow['state']) => rows.filter(row => row.state === state).length
    return {
      currency,
      counts: {
        matched: count('matched'),
        differs: count('differs'),
        missingThere: count('missing_there'),
        missingHere: count('missing_here'),
        unclear: unclear.length,
      },
      unclearLines: unclear.slice(0, mostUnclear),
      rows: rows.slice(0, mostRows).map(rowOf),
    }
  }

type Book = { currency: string; policies: OwnPolicy[] }

/** Returns the policies of a statement or of some days. Users who see only own sales compare days of their own sales. */
async function policiesOf(world: World, tx: UnitTx, { ask, caller }: Input): Promise<Book> {
  const own = ownOnly(caller)
  const { currency, timeZone } = await unitSettings(tx)
  if (ask.statement) {
    if (own !== undefined) throw new Refusal('session.forbidden')
    const found = (await standingOf(tx, world.clock.now(), timeZone)).find(({ row }) => row.number === ask.statement)
    if (!found) throw new Refusal('request.not_found')
    return { currency: found.row.currency, policies: await policySums(tx, inSpan(tx, await spanOf(tx, found.row)), undefined) }
  }
  const { from, to } = ask
  if (!from || !to) throw refuseFields([{ path: from ? 'to' : 'from', rule: 'required', key: 'validation.required' }])
  monthsOf({ from, to })
  const window = { from: new Date(startOfDay(from, timeZone)), until: new Date(startOfDay(addDays(to, 1), timeZone)), currency }
  return { currency, policies: await policySums(tx, inWindow(tx, window), own) }
}

const task: TaskOf<typeof matchList> = { module: import.meta.resolve('#common/accounting/match/match.ts'), name: 'matchList' }

async function compare(world: World, owner: string, csv: string, { policies, currency }: Book): Promise<Match> {
  try {
    return await world.workers.run(owner, task, csv, policies, currency)
  } catch (error) {
    if (error instanceof TooHeavy) return { problems: [{ fault: 'heavy' }], unclear: [], rows: [] }
    throw error
  }
}

const problemOf = ({ fault, line }: MatchProblem): Problem => ({
  path: 'csv',
  rule: 'list',
  key: faults[fault],
  params: { line: line ?? 0, most: mostLines },
})

const faults = {
  columns: 'match.fault.columns',
  empty: 'match.fault.empty',
  many: 'match.fault.many',
  amount: 'match.fault.amount',
  decimals: 'match.fault.decimals',
  heavy: 'match.fault.heavy',
} as const satisfies Record<MatchProblem['fault'], string>

const moneyOf = (cents: number | null) => (cents === null ? null : fromCents(cents))

const amountsOf = (amounts: MatchRow['ours']) => amounts && { gross: moneyOf(amounts.gross), commission: moneyOf(amounts.commission) }

function rowOf({ state, id, number, reference, ours, theirs, currency }: MatchRow) {
  const by = (name: 'gross' | 'commission') => {
    if (currency !== null) return null
    const [own, other] = [ours?.[name] ?? 0, theirs ? theirs[name] : 0]
    return other === null ? null : fromCents(other - own)
  }
  return {
    state,
    policyUuid: id,
    policyNumber: number,
    reference,
    ours: amountsOf(ours),
    theirs: amountsOf(theirs),
    currency,
    by: { gross: by('gross'), commission: by('commission') },
  }
}
