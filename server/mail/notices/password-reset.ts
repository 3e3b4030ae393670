import { isLocale } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { findUserById, resetLinkUser, scopeOf } from '#server/session/public.ts'
import { queueMail } from '../queue.ts'

/** Emails the link to choose a new password after a user asked for it. */
export const mailPasswordLink =
  (world: World): Subscriber =>
  async job => {
    const { locale: asked } = job.payload
    await world.database.asService(async serviceTx => {
      const tx = within(serviceTx, scopeOf(job.businessUnitId))
      const userId = await resetLinkUser(world, tx.whole, job.payload)
      const user = userId && (await findUserById(tx.whole, userId))
      if (!user) return
      const unit = await unitSettings(tx)
      await queueMail(world, tx, {
        to: { name: user.name, address: user.email },
        template: 'password_reset',
        locale: isLocale(asked) ? asked : unit.locale,
        params: { name: user.name },
        passwordOf: user.id,
        causedBy: job,
      })
    })
  }
