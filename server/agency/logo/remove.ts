import { isLocale } from '#common/kit/locales.ts'
import { type Files, findFile, hashOf, logoOf } from '#server/documents/public.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { queueMail } from '#server/mail/public.ts'
import { audit, membersWith, noRequest, scopeOf } from '#server/session/public.ts'
import { changesBetween } from '../profile.ts'
import { insertChange, lockProfile, saveProfile } from '../queries.ts'

/** Logos of more than 32 kB are files, whose addresses begin with this. */
export const filePath = '/api/files/'

const blank = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>').toString('base64')}`

/** Removes a logo that documents have to leave out, and notifies those who can store another. */
export const removeLogo =
  (world: World, files: Files): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    // Users belong to no unit, so only the service can read which of them are members.
    await world.database.asService(async serviceTx => {
      const tx = within(serviceTx, scope)
      const { settings, version } = await lockProfile(tx)
      if ((await hashOfLogo(tx, settings.logo)) !== job.payload['sha256']) return
      const [without, after, now] = [{ ...settings, logo: blank }, version + 1, world.clock.now()]
      await saveProfile(tx, without, after, now)
      await insertChange(tx, { version: after, at: now, userId: null, changes: changesBetween(settings, without) })
      await audit(world, tx, noRequest, { action: 'agency.logo_removed', outcome: 'done', object: job.businessUnitId })
      await dropUnused(files, tx, settings.logo)
      for (const { id, name, email, locale } of await membersWith(tx, 'b2b-agency-update'))
        await queueMail(world, tx, {
          to: { name, address: email },
          template: 'logo_removed',
          locale: isLocale(locale) ? locale : settings.locale,
          params: { name, link: `${world.publicUrl()}/account` },
          causedBy: { ...job, id: stableId(job.id, id) },
        })
    })
  }

/** Removes the file of a logo that is no longer shown. A small one is part of the settings. */
export const dropUnused = async (files: Files, tx: UnitTx, logo: string | undefined): Promise<void> => {
  if (logo?.startsWith(filePath)) await files.remove(tx, logo.slice(filePath.length))
}

async function hashOfLogo(tx: UnitTx, address: string): Promise<string | null> {
  if (address.startsWith(filePath)) return (await findFile(tx, address.slice(filePath.length)))?.sha256 ?? null
  const logo = logoOf(address)
  return logo && hashOf(logo)
}
