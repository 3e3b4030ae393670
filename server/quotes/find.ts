import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/quotes/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import * as rows from './queries.ts'

export const findQuote =
  ({ database, clock }: World): Handler<typeof calls.findQuote> =>
  async ({ ask, caller }) => {
    const { scope } = caller.unit
    const quote = await database.inScope(scope, tx => rows.findQuote(tx, ask.quoteUUID, clock.now()))
    if (!quote) throw new Refusal('request.not_found')
    return quote
  }
