import { Refusal } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { type RegisterInput, type RegisterRequest, standInFor, type Stored, uploadOf } from '#server/policies/public.ts'
import type { Where } from '#server/session/public.ts'
import { usersIn } from './missing.ts'
import { type Link, stateOf } from './states.ts'
import { type StoredQuote, storedQuote } from './stored.ts'

/** A quote of a link with all that is stored of it. */
export type OwnQuote = { link: Link; stored: StoredQuote; state: ReturnType<typeof stateOf> }

/** Reads a quote of the client's link. One of another link is refused like an unknown one. */
export async function ownQuote({ secrets, clock }: World, tx: UnitTx, link: Link, policyUuid: string): Promise<OwnQuote> {
  const quote = link.quotes.find(each => each.id === policyUuid.toLowerCase())
  if (!quote) throw new Refusal('request.not_found')
  const stored = await storedQuote(secrets, tx, quote.id)
  return { link, stored, state: stateOf(stored.policy, link, clock.now()) }
}

/** An answer to a quote that was sold or deleted meanwhile is one to another version: the page shows what became of it. */
export function asConflict(error: unknown): never {
  if (error instanceof Refusal && (error.code === 'policy.not_replaceable' || error.code === 'request.not_found'))
    throw new Refusal('request.conflict')
  throw error
}

/** How often a client may complete or begin to pay one quote. */
const mostVersions = 70

/** Returns the registration by which a client's own version of a quote is written: all that it holds, and what is new. */
export async function againBy(
  tx: UnitTx,
  where: Where,
  stored: Stored,
  changes: Pick<RegisterRequest, 'saveBudget'> & Partial<RegisterRequest>,
  idempotencyKey?: string,
): Promise<RegisterInput> {
  const { policy, version } = stored
  if (version.version > mostVersions) throw new Refusal('request.too_many', { retryAfter: 3600 })
  // Safe: registration.ts writes the request so, without people, documents and the declaration.
  const { trip, shown } = version.content as { trip: Omit<RegisterRequest, 'users'>; shown?: RegisterRequest['shown'] }
  return {
    ip: where.ip,
    userAgent: where.userAgent,
    requestId: where.requestId,
    caller: standInFor(policy),
    idempotencyKey,
    client: { name: policy.taker },
    ask: {
      ...trip,
      users: usersIn(stored).slice(0, stored.people.length),
      policyUuid: policy.id,
      version: policy.version,
      locale: policy.locale,
      expectedTotal: null,
      paymentGatewayUUID: null,
      ...(shown ? { shown: { demandsAndNeeds: shown.demandsAndNeeds, files: shown.files } } : {}),
      // A document that is not named again would be removed.
      uploadFile: (await uploadOf(tx, policy.id))?.id ?? null,
      roleFirstUser: version.role_first_user,
      paxNumber: version.pax_number,
      buReference: policy.reference || null,
      ...changes,
    },
  }
}
