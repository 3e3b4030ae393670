import type * as calls from '#common/session/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { clearSession } from '#server/session/cookies.ts'

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
