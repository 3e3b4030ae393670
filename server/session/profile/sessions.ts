import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/session/account-calls.ts'
import { deviceOf } from '#common/session/device.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { isOver } from '#server/session/admit.ts'
import { audit } from '#server/session/audit.ts'
import { clearSession } from '#server/session/cookies.ts'
import { endSession, endSessionsOf, findSession, openSessionsOf } from '#server/session/queries.ts'
import { hashToken } from '#server/session/tokens.ts'

/** Lists the user's open sessions. Networks have no place names, as the service looks none up. */
export const mySessions =
  (world: World): Handler<typeof calls.mySessions> =>
  async ({ caller: { userId, sessionId, accessToken } }) => {
    const [present, sessions] = await Promise.all([
      findSession(world.database, hashToken(accessToken)),
      world.database.asService(tx => openSessionsOf(tx, userId)),
    ])
    const now = world.realTime.now()
    const limits = { idleHours: present?.idleHours ?? null, days: present?.days ?? null }
    return {
      sessions: sessions
        .filter(session => !isOver(world.config, { ...limits, createdAt: session.created_at, lastSeenAt: session.last_seen_at }, now))
        .map(({ id, user_agent, network, created_at, last_seen_at }) => ({
          uuid: id,
          device: deviceOf(user_agent),
          network,
          createdAt: created_at.toISOString(),
          lastSeenAt: last_seen_at.toISOString(),
          current: id === sessionId,
        })),
    }
  }

export const endMySession =
  (world: World): Handler<typeof calls.endMySession> =>
  async input => {
    const { caller, ask } = input
    const ended = await world.database.asService(async tx => {
      const found = await endSession(tx, caller.userId, ask.uuid, world.realTime.now())
      if (found) await audit(world, tx, input, { action: 'session.end', outcome: 'done', object: ask.uuid })
      return found
    })
    if (!ended) throw new Refusal('request.not_found')
    if (ask.uuid === caller.sessionId) clearSession(world.config, input.cookies)
    return { ended: 1 }
  }

export const endMyOtherSessions =
  (world: World): Handler<typeof calls.endMyOtherSessions> =>
  async input => {
    const { userId, sessionId } = input.caller
    const ended = await world.database.asService(async tx => {
      const count = await endSessionsOf(tx, userId, world.realTime.now(), sessionId)
      if (count > 0)
        await audit(world, tx, input, { action: 'session.end_others', outcome: 'done', object: userId, details: { ended: count } })
      return count
    })
    return { ended }
  }
