import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/quotes/calls.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { QuoteStore } from './quote-store.ts'

export const findQuote =
  (store: QuoteStore): Handler<typeof calls.findQuote> =>
  async ({ ask, caller }) => {
    const quote = await store.find(caller.unit.scope, ask.quoteUUID)
    if (!quote) throw new Refusal('request.not_found')
    return quote
  }
