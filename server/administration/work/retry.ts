import type * as calls from '#common/administration/calls.ts'
import { type AllUnitsTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { HandlerInput, Handler } from '#server/kit/serve.ts'
import { mailWritten } from '#server/mail/public.ts'
import { audit, unitForAdministration } from '#server/session/public.ts'
import { type FailedJob, lockFailedJobOfMail, lockFailedJobs, lockRefusedMails, putBackJob, putBackMail } from './queries.ts'

/** Retries jobs at once, each with its audit entry. Jobs that are no longer failed are left alone. */
export const retryJobs =
  (world: World): Handler<typeof calls.retryJobs> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      const jobs = await lockFailedJobs(tx, ask.uuids)
      for (const job of jobs) {
        await putBack(world, tx, job)
        const entry = { action: 'administration.job_retried', outcome: 'done' as const, userId, businessUnitId: job.unitId, object: job.id }
        await audit(world, tx, input, { ...entry, details: { subscriber: job.subscriber, error: job.error } })
      }
      return outcome(ask.uuids, jobs.length)
    })
  }

/** Puts a job back, and its mail, whose own row was marked as refused. */
async function putBack(world: World, tx: AllUnitsTx, job: FailedJob): Promise<void> {
  await putBackJob(tx, job, world.realTime.now())
  if (job.topic === mailWritten) await putBackMail(tx, job.unitId, String(job.payload['mailId']))
}

export const retryMails =
  (world: World): Handler<typeof calls.retryMails> =>
  async input => {
    const { allUnits } = input.caller
    return world.database.acrossUnits(allUnits, async tx => {
      const mails = await lockRefusedMails(tx, input.ask.uuids)
      for (const mail of mails) await sendAgain(world, tx, input, mail)
      return outcome(input.ask.uuids, mails.length)
    })
  }

type RefusedMail = { id: string; unitId: string; template: string; reason: string | null }

/** Retries a mail by its failed job, or by a new one if that was deleted. */
async function sendAgain(world: World, tx: AllUnitsTx, input: HandlerInput<typeof calls.retryMails>, mail: RefusedMail): Promise<void> {
  const { userId } = input.caller
  const job = await lockFailedJobOfMail(tx, mail.unitId, mail.id)
  if (job) await putBack(world, tx, job)
  else {
    await putBackMail(tx, mail.unitId, mail.id)
    await world.outbox.publish(within(tx, unitForAdministration(input.caller.allUnits, mail.unitId)), mailWritten, { mailId: mail.id })
  }
  const entry = { action: 'administration.mail_retried', outcome: 'done' as const, userId, businessUnitId: mail.unitId, object: mail.id }
  await audit(world, tx, input, { ...entry, details: { template: mail.template, error: mail.reason } })
}

const outcome = (ids: string[], retried: number) => ({ retried, left: new Set(ids).size - retried })
