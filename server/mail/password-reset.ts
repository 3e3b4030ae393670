import { isLocale } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/rows.ts'
import type { World } from '#server/kit/front.ts'
import type { Subscriber } from '#server/kit/outbox.ts'
import { passwordLink } from '#server/session/forgot-password.ts'
import { findUserById } from '#server/session/rows.ts'
import { scopeOf } from '#server/session/scope.ts'
import { queueMail } from './queue.ts'

/** Somebody forgot his password: makes the link only now, so that no job has it, and writes the mail. */
export const mailPasswordLink =
  (world: World, publicUrl: () => string): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const { userId, locale: asked } = job.payload
    await world.database.asService(async tx => {
      const user = await findUserById(tx, String(userId))
      if (!user) return
      const unit = await unitSettings(scope, tx)
      const { path, minutes } = await passwordLink(world, tx, user.id)
      await queueMail(world, tx, scope, {
        to: { name: user.name, address: user.email },
        template: 'password_reset',
        locale: isLocale(asked) ? asked : unit.locale,
        params: { name: user.name, link: `${publicUrl()}${path}`, minutes },
      })
    })
  }
