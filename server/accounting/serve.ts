import * as calls from '#common/accounting/calls.ts'
import * as schemas from '#common/accounting/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import { statement } from './detail/detail.ts'
import { earnings } from './earnings/earnings.ts'
import { entries } from './earnings/entries.ts'
import { match } from './match/match.ts'
import { rates } from './rates/rates.ts'
import { statements } from './statements/list.ts'

/** Serves an agency's view of the money book. */
export function serveAccounting(context: AppContext): void {
  const { world } = context
  // The tickets feature serves the query about an entry, the documents feature the file.
  const { accountingQuery: _, accountingStatementFile: __, ...own } = calls
  serveAll(context, own, schemas, {
    accountingEarnings: earnings(world),
    accountingRates: rates(world),
    accountingEntries: entries(world),
    accountingStatements: statements(world),
    accountingMatch: match(world),
    accountingStatement: statement(world),
  })
}
