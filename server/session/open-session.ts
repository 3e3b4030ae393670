import type * as calls from '#common/session/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { networkOf } from '#server/kit/http.ts'
import type { World } from '#server/kit/front.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from './audit.ts'
import { clearFlow, setSession } from './cookies.ts'
import { findSession, useToken } from './rows.ts'
import { hashToken, mintToken } from './tokens.ts'
import { describeUser } from './users-me.ts'

/** The callback's token for a session: once, soon, and only in the browser that began. */
export const openSession =
  (world: World): Handler<typeof calls.openSession> =>
  async asked => {
    const accessToken = mintToken()
    const now = world.clock.now()
    const flow = asked.cookies.get('flow')
    const opened = await world.database.asService(async tx => {
      const used = flow && (await useToken(tx, { hash: hashToken(asked.ask.token), purpose: 'sign-in', flowHash: hashToken(flow), now }))
      await audit(world, tx, asked, { action: 'session.open', outcome: used ? 'done' : 'refused', userId: used ? used.userId : undefined })
      if (!used) return false
      await tx
        .insertInto('sessions')
        .values({
          id: world.ids.next(),
          user_id: used.userId,
          token_hash: hashToken(accessToken),
          network: networkOf(asked.ip),
          user_agent: asked.userAgent,
          created_at: now,
          last_seen_at: now,
        })
        .execute()
      return true
    })
    world.metrics.signIns.inc({ event: opened ? 'session.open' : 'session.bad_token' })
    const session = opened ? await findSession(world.database, hashToken(accessToken)) : undefined
    if (!session) throw new Refusal('session.bad_token')
    setSession(world.config, asked.cookies, { loggedIn: true, email: session.email, accessToken })
    clearFlow(world.config, asked.cookies)
    return { accessToken, email: session.email, loggedIn: true, user: describeUser(session, accessToken) }
  }
