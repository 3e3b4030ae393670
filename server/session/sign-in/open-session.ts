import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/session/calls.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { networkOf } from '#server/kit/http/http.ts'
import type { HandlerInput, Handler } from '#server/kit/serve.ts'
import { audit, countRefusal } from '#server/session/audit.ts'
import { clearFlow, flowCookie, setSession } from '#server/session/cookies.ts'
import { openHostTokens, useHostToken } from '#server/session/external/host-token.ts'
import { signInKind } from '#server/session/external/kind.ts'
import { findSession, noteSignIn, useToken } from '#server/session/queries.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'
import { describeUser } from './users-me.ts'

type Call = typeof calls.openSession

/** The callback's token for a session: once, soon, and only in the browser that began. */
export function openSession(world: World): Handler<Call> {
  const spend = spender(world)
  return async asked => {
    const accessToken = mintToken()
    const flow = asked.cookies.get(flowCookie(world.config))
    const spendToken = flow ? await spend(asked.ask.token, flow) : undefined
    const opened = await world.database.asService(async tx => {
      const used = await spendToken?.(tx)
      // Suspended since he began: a session that is made now would live again when he is let in again.
      const may = used !== undefined && (await noteSignIn(tx, used.userId, world.clock.now()))
      if (may) {
        await audit(world, tx, asked, { action: 'session.open', outcome: 'done', userId: used.userId })
        await insertSession(world, tx, asked, used.userId, accessToken)
      } else await countRefusal(world, tx, asked, { action: 'session.open', reason: 'session.bad_token', userId: used?.userId })
      return may
    })
    world.metrics.signIns.inc({ event: opened ? 'session.open' : 'session.bad_token' })
    const session = opened ? await findSession(world.database, hashToken(accessToken)) : undefined
    if (!session) throw new Refusal('session.bad_token')
    setSession(world.config, asked.cookies, { loggedIn: true, email: session.email, accessToken })
    clearFlow(world.config, asked.cookies)
    return { accessToken, email: session.email, loggedIn: true, user: describeUser(world, session, accessToken) }
  }
}

type Spend = (tx: ServiceTx) => Promise<{ userId: string } | undefined>

/** A token is one of ours, or, where a host signs in, one that the host signed: its keys are asked for before the transaction begins. */
function spender(world: World): (token: string, flow: string) => Promise<Spend | undefined> {
  const readHostToken = openHostTokens(world)
  return async (token, flow) => {
    const now = world.clock.now()
    if (signInKind(world.config) !== 'host')
      return tx => useToken(tx, { hash: hashToken(token), purpose: 'sign-in', flowHash: hashToken(flow), now })
    const read = await readHostToken(token, flow)
    return read && (tx => useHostToken(tx, read, now))
  }
}

const insertSession = (world: World, tx: ServiceTx, asked: HandlerInput<Call>, userId: string, accessToken: string) =>
  tx
    .insertInto('sessions')
    .values({
      id: world.ids.next(),
      user_id: userId,
      token_hash: hashToken(accessToken),
      network: networkOf(asked.ip),
      user_agent: asked.userAgent,
      created_at: world.clock.now(),
      last_seen_at: world.clock.now(),
    })
    .execute()
