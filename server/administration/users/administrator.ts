import type { World } from '#server/kit/front.ts'
import { signInKind } from '#server/session/external/kind.ts'
import { passwordLink } from '#server/session/password/forgot-password.ts'
import { audit } from '#server/session/audit.ts'

const nobodysBrowser = { ip: '', userAgent: 'npm run administrator', requestId: '' }

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
    const { id } = await tx
      .insertInto('users')
      .values({ id: world.ids.next(), email, name, password_hash: null, administrator: true, created_at: world.clock.now() })
      .onConflict(conflict => conflict.column('email').doUpdateSet({ administrator: true, active: true }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(world, tx, nobodysBrowser, { action: 'administration.administrator_made', outcome: 'done', userId: id, object: id })
    if (signInKind(world.config) !== 'password') return undefined
    return (await passwordLink(world, tx, id)).path
  })
}
