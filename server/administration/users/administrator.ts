import type { World } from '#server/kit/front.ts'
import { signInKind } from '#server/session/external/kind.ts'
import { passwordLink } from '#server/session/password/forgot-password.ts'
import { audit, nobodysBrowser } from '#server/session/audit.ts'
import { makeAdministratorRow } from './rows.ts'

const atTheMachine = { ...nobodysBrowser, userAgent: 'npm run administrator' }

/**
 * Who administers a fresh installation cannot be invited by anybody: whoever has the machine makes him. A user who is there already becomes an
 * administrator. The path at which a password is chosen, once; none where somebody else signs in.
 */
export function makeAdministrator(
  world: Pick<World, 'config' | 'clock' | 'ids' | 'database'>,
  email: string,
  name: string,
): Promise<string | undefined> {
  return world.database.asService(async tx => {
    const { id } = await makeAdministratorRow(tx, { id: world.ids.next(), email, name, created_at: world.clock.now() })
    await audit(world, tx, atTheMachine, { action: 'administration.administrator_made', outcome: 'done', userId: id, object: id })
    if (signInKind(world.config) !== 'password') return undefined
    return (await passwordLink(world, tx, id)).path
  })
}
