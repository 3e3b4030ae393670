import * as calls from '#common/client/calls.ts'
import * as quoteCalls from '#common/client/quote/calls.ts'
import * as quoteSchemas from '#common/client/quote/schemas.ts'
import * as schemas from '#common/client/schemas.ts'
import type { Files, RenderDocument } from '#server/documents/public.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import type { Sales } from '#server/policies/public.ts'
import { find, mailFound, policySought } from './find.ts'
import { declineChange, payChange, showChange } from './offer/change.ts'
import { sendFile, showPolicy } from './policy.ts'
import { completeQuote } from './quote/complete.ts'
import { declineQuotes } from './quote/decline.ts'
import { makeLink, revoke } from './quote/links.ts'
import { payQuote } from './quote/pay.ts'
import { proveAnswer, quoteAnswered } from './quote/prove.ts'
import { showQuotes } from './quote/show.ts'
import { auditNotFound } from '#server/session/public.ts'
import { deleteExpiredTokens, deleteOldTries } from './queries.ts'
import { requestChange } from './request.ts'
import { carryOutReceived, withdrawalReceived } from './withdrawal/carry-out.ts'
import { withdraw } from './withdrawal/withdraw.ts'

/** The calls of a policy's client, who has no session but a link (decision 51). */
export function serveClient(context: AppContext, sales: Sales, files: Files, render: RenderDocument): void {
  const { world } = context
  serveAll(
    context,
    { ...calls, ...quoteCalls },
    { ...schemas, ...quoteSchemas },
    {
      clientPolicy: showPolicy(sales),
      clientChange: showChange(sales),
      clientChangePay: payChange(sales),
      clientChangeDecline: declineChange(sales),
      clientFile: sendFile(sales, files),
      clientWithdraw: withdraw(sales),
      clientRequest: requestChange(world),
      clientFind: find(world),
      clientQuote: showQuotes(sales),
      clientQuoteComplete: completeQuote(sales),
      clientQuotePay: payQuote(sales),
      clientQuoteDecline: declineQuotes(sales),
      makeQuoteLink: auditNotFound(world, 'policyUuid', makeLink(world)),
      revokeQuoteLinks: auditNotFound(world, 'policyUuid', revoke(world)),
    },
  )
  world.outbox.subscribe(withdrawalReceived, 'client.withdrawal', carryOutReceived(sales))
  world.outbox.subscribe(quoteAnswered, 'client.quote_proof', proveAnswer(sales, { files, render }))
  world.outbox.subscribe(policySought, 'client.find', mailFound(world))
}

/** Deletes links that have expired, and tries of more than a day ago. */
export const purgeClientRows = ({ database, clock }: World): Promise<unknown> =>
  database.asService(async tx => {
    const now = clock.now()
    await deleteExpiredTokens(tx, now)
    await deleteOldTries(tx, new Date(now.getTime() - 86_400_000))
  })
