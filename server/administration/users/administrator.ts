import type { World } from '#server/kit/app-context.ts'
import { audit, nobodysBrowser, passwordLink, signInKind } from '#server/session/public.ts'
import { joinAllUnits, makeAdministratorRow } from './queries.ts'
import { OperatorError } from '#server/config/operator-error.ts'

const atTheMachine = { ...nobodysBrowser, userAgent: 'npm run administrator' }

/**
 * Makes the first administrator of an installation, or an administrator of a user who is there. One who works for no business unit becomes a member
 * of all. Returns the path at which a password is chosen, once; none where a host elsewhere signs in.
 */
export function makeAdministrator(
  world: Pick<World, 'config' | 'clock' | 'ids' | 'database'>,
  email: string,
  name: string,
): Promise<string | undefined> {
  return world.database.asService(async tx => {
    const { id } = await makeAdministratorRow(tx, { id: world.ids.next(), email, name, created_at: world.clock.now() })
    if (!(await joinAllUnits(tx, id, world.clock.now())))
      throw new OperatorError(
        'There is no business unit yet, and the portal opens for one. Load a catalogue first: npm run catalogue -- load FOLDER',
      )
    await audit(world, tx, atTheMachine, { action: 'administration.administrator_made', outcome: 'done', userId: id, object: id })
    if (signInKind(world.config) !== 'password') return undefined
    return (await passwordLink(world, tx, id)).path
  })
}
