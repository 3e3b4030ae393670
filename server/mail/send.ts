import { unitSettings } from '#server/business-unit/rows.ts'
import type { World } from '#server/kit/front.ts'
import { PermanentFailure, type Subscriber } from '#server/kit/outbox.ts'
import { scopeOf } from '#server/session/scope.ts'
import { findMail, keepWritten, markMail } from './rows.ts'
import { type Template, templates, writeMail } from './templates.ts'
import type { Transport } from './transport.ts'

/** Writes a queued mail out in its reader's language and hands it over. Its row says how that went. */
export const sendMail =
  (world: World, transport: Transport): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const id = String(job.payload['mailId'])
    const [mail, unit] = await world.database.inScope(
      scope,
      async tx => [await findMail(scope, tx, id), await unitSettings(scope, tx)] as const,
    )
    if (!mail || !Object.hasOwn(templates, mail.template)) throw new PermanentFailure('there is no such mail or template')
    const brand = { brandName: unit.brandName, accent: unit.accent, email: unit.contactInfo.email, phone: unit.contactInfo.phone }
    const written = writeMail(world.words(mail.content.locale), mail.template as Template, brand, mail.content.params)
    await world.database.inScope(scope, tx => keepWritten(scope, tx, id, written))
    const settle = (state: 'queued' | 'sent' | 'refused', reason: string | null) =>
      world.database.inScope(scope, tx =>
        markMail(scope, tx, id, { state, reason, finished_at: state === 'queued' ? null : world.clock.now() }),
      )
    try {
      await transport.send({ id, to: { name: mail.recipient_name, address: mail.recipient_address }, ...written, attachments: [] })
    } catch (error) {
      await settle(error instanceof PermanentFailure ? 'refused' : 'queued', (error as Error).message.slice(0, 300))
      throw error
    }
    await settle('sent', null)
  }
