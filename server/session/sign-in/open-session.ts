import { Refusal } from '#common/kit/refusals.ts'
import * as calls from '#common/session/calls.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { networkOf } from '#server/kit/limits/network.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { audit, countRefusal } from '#server/session/audit.ts'
import { clearFlow, clearSession, flowCookie, setSession } from '#server/session/cookies.ts'
import { openHostTokens, useHostToken } from '#server/session/external/host-token.ts'
import { signInKind } from '#server/session/external/kind.ts'
import { findSession, recordSignIn, useToken } from '#server/session/queries.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'
import { describeUser } from './users-me.ts'

type Call = typeof calls.openSession

/** Exchanges the callback's token for a session. It works once, within its lifetime, in the browser that began. */
export function openSession(world: World): Handler<Call> {
  const prepare = tokenUse(world)
  return async input => {
    const accessToken = mintToken()
    const flow = input.cookies.get(flowCookie(world.config))
    const useIt = flow ? await prepare(input.ask.token, flow) : undefined
    const opened = await world.database.asService(async tx => {
      const used = await useIt?.(tx)
      // The user may have been suspended since. A session made now would come alive once the suspension ends.
      const may = used !== undefined && (await recordSignIn(tx, used.userId, world.realTime.now()))
      if (may) {
        await audit(world, tx, input, { action: 'session.open', outcome: 'done', userId: used.userId })
        await insertSession(world, tx, input, used.userId, accessToken)
      } else await countRefusal(world, tx, input, { action: 'session.open', reason: 'session.bad_token', userId: used?.userId })
      return may
    })
    world.metrics.signIns.inc({ event: opened ? 'session.open' : 'session.bad_token' })
    const session = opened ? await findSession(world.database, hashToken(accessToken)) : undefined
    if (!session) throw new Refusal('session.bad_token')
    setSession(world.config, input.cookies, { loggedIn: true, email: session.email, accessToken })
    clearFlow(world.config, input.cookies)
    return { accessToken, email: session.email, loggedIn: true, user: describeUser(world, session, accessToken) }
  }
}

type TokenUse = (tx: ServiceTx) => Promise<{ userId: string } | undefined>

/** Returns the use of a token: the portal's own, or one signed by the sign-in host. The host's keys load before the transaction. */
function tokenUse(world: World): (token: string, flow: string) => Promise<TokenUse | undefined> {
  const readHostToken = openHostTokens(world)
  return async (token, flow) => {
    const now = world.realTime.now()
    if (signInKind(world.config) !== 'host')
      return tx => useToken(tx, { hash: hashToken(token), purpose: 'sign-in', flowHash: hashToken(flow), now })
    const read = await readHostToken(token, flow)
    return read && (tx => useHostToken(tx, read, now))
  }
}

const insertSession = (world: World, tx: ServiceTx, input: HandlerInput<Call>, userId: string, accessToken: string) =>
  tx
    .insertInto('sessions')
    .values({
      id: world.ids.next(),
      user_id: userId,
      token_hash: hashToken(accessToken),
      network: networkOf(input.ip),
      user_agent: input.userAgent,
      created_at: world.realTime.now(),
      last_seen_at: world.realTime.now(),
    })
    .execute()

/** Ends the session on the server and clears its cookie. */
export const endSession =
  (world: World): Handler<typeof calls.endSession> =>
  async input => {
    const { caller } = input
    await world.database.asService(async tx => {
      await tx.updateTable('sessions').set({ ended_at: world.realTime.now() }).where('id', '=', caller.sessionId).execute()
      await audit(world, tx, input, { action: 'session.end', outcome: 'done', userId: caller.userId })
    })
    world.metrics.signIns.inc({ event: 'session.end' })
    clearSession(world.config, input.cookies)
    return { loggedIn: false }
  }
