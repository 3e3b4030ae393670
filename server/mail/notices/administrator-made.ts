import { intlTag, isLocale } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { findUserById, scopeOf } from '#server/session/public.ts'
import { queueMail } from '../queue.ts'

/** Notifies an administrator that another user was made one, and by whom. */
export const mailAdministratorMade =
  (world: World): Subscriber =>
  async job => {
    const { userId, madeId, by, at } = Object.fromEntries(Object.entries(job.payload).map(([name, value]) => [name, String(value)]))
    await world.database.asService(async serviceTx => {
      const tx = within(serviceTx, scopeOf(job.businessUnitId))
      const [reader, made] = [await findUserById(tx.whole, userId ?? ''), await findUserById(tx.whole, madeId ?? '')]
      if (!reader || !made) return
      const unit = await unitSettings(tx)
      const locale = isLocale(reader.locale) ? reader.locale : unit.locale
      const when = new Intl.DateTimeFormat(intlTag(locale), { dateStyle: 'long', timeStyle: 'short', timeZone: unit.timeZone })
      await queueMail(world, tx, {
        to: { name: reader.name, address: reader.email },
        template: 'administrator_made',
        locale,
        params: {
          name: reader.name,
          account: made.email,
          by: by ?? '',
          when: when.format(new Date(at ?? '')),
          link: `${world.publicUrl()}/administration?tab=users`,
        },
        causedBy: job,
      })
    })
  }
