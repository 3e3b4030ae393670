import * as calls from '#common/accounting/calls.ts'
import * as schemas from '#common/accounting/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
import { statement } from './detail/detail.ts'
import { earnings } from './earnings/earnings.ts'
import { entries } from './earnings/entries.ts'
import { match } from './match/match.ts'
import { rates } from './rates/rates.ts'
import { statements } from './statements/list.ts'

/** Serves an agency's view of the money book. */
export function serveAccounting(context: AppContext): void {
  const { world } = context
  serve(context, calls.accountingEarnings, schemas.accountingEarnings, earnings(world))
  serve(context, calls.accountingRates, schemas.accountingRates, rates(world))
  serve(context, calls.accountingEntries, schemas.accountingEntries, entries(world))
  serve(context, calls.accountingStatements, schemas.accountingStatements, statements(world))
  serve(context, calls.accountingMatch, schemas.accountingMatch, match(world))
  serve(context, calls.accountingStatement, schemas.accountingStatement, statement(world))
}
