import { intlTag, isLocale } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { within } from '#server/kit/database.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { findUserById, resetLinkUser, scopeOf } from '#server/session/public.ts'
import { queueMail } from '../queries.ts'

/** Notifies users of a change to their password or second factor. The email, in their language, says what to do if they did not make it. */
export const mailAccessChange =
  (world: World): Subscriber =>
  async job => {
    const { userId, what, by, at, network, device } = Object.fromEntries(
      Object.entries(job.payload).map(([name, value]) => [name, String(value)]),
    )
    await world.database.asService(async serviceTx => {
      const tx = within(serviceTx, scopeOf(job.businessUnitId))
      const user = await findUserById(tx.whole, userId ?? '')
      if (!user) return
      const unit = await unitSettings(tx)
      const locale = isLocale(user.locale) ? user.locale : unit.locale
      const when = new Intl.DateTimeFormat(intlTag(locale), { dateStyle: 'long', timeStyle: 'short', timeZone: unit.timeZone })
      const { email, phone } = unit.contactInfo
      await queueMail(world, tx, {
        to: { name: user.name, address: user.email },
        template: 'access_changed',
        locale,
        params: {
          name: user.name,
          account: user.email,
          what: what ?? '',
          by: by ?? '',
          when: when.format(new Date(at ?? '')),
          network: network ?? '',
          device: device || 'none',
          email,
          phone,
          link: `${world.publicUrl()}/auth/forgot`,
        },
        causedBy: job,
      })
    })
  }

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
