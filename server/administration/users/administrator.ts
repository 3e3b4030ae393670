import type { World } from '#server/kit/app-context.ts'
import { audit, madeAdministrator, noRequest, passwordLink, signInKind } from '#server/session/public.ts'
import { joinAllUnits, upsertAdministrator } from './queries.ts'
import { OperatorError } from '#server/config/operator-error.ts'

const byCommand = { ...noRequest, userAgent: 'npm run administrator' }

/**
 * Makes a user an administrator, creating the user if needed. Users without a business unit become members of all.
 * Returns the path to choose a password once, or undefined if an external host signs users in.
 */
export function makeAdministrator(
  world: Pick<World, 'config' | 'realTime' | 'ids' | 'database'>,
  email: string,
  name: string,
): Promise<string | undefined> {
  return world.database.asService(async tx => {
    const { id } = await upsertAdministrator(tx, { id: world.ids.next(), email, name, created_at: world.realTime.now() })
    if (!(await joinAllUnits(tx, id, world.realTime.now())))
      throw new OperatorError(
        'There is no business unit yet, and the portal opens for one. Load a catalogue first: npm run catalogue -- load FOLDER',
      )
    await audit(world, tx, byCommand, { action: madeAdministrator, outcome: 'done', userId: id, object: id })
    if (signInKind(world.config) !== 'password') return undefined
    return (await passwordLink(world, tx, id)).path
  })
}
