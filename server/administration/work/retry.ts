import type * as calls from '#common/administration/work-calls.ts'
import { type AllUnitsTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { HandlerInput, Handler } from '#server/kit/serve.ts'
import { mailWritten } from '#server/mail/public.ts'
import { audit, scopeOf } from '#server/session/public.ts'
import { type FailedJob, holdFailedJobOfMail, holdFailedJobs, holdRefusedMails, putBackJob, putBackMail } from './queries.ts'

/** Again, at once. Each is told of in the audit by itself; what is not failed any more is left to whoever has it. */
export const retryJobs =
  (world: World): Handler<typeof calls.retryJobs> =>
  async asked => {
    const { ask, caller } = asked
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      const jobs = await holdFailedJobs(tx, ask.uuids)
      for (const job of jobs) {
        await again(world, tx, job)
        const deed = { action: 'administration.job_retried', outcome: 'done' as const, userId, businessUnitId: job.unitId, object: job.id }
        await audit(world, tx, asked, { ...deed, details: { subscriber: job.subscriber, error: job.error } })
      }
      return outcome(ask.uuids, jobs.length)
    })
  }

/** A mail's own row has said that it was given up; now it waits again. */
async function again(world: World, tx: AllUnitsTx, job: FailedJob): Promise<void> {
  await putBackJob(tx, job, world.clock.now())
  if (job.topic === mailWritten) await putBackMail(tx, job.unitId, String(job.payload['mailId']))
}

export const retryMails =
  (world: World): Handler<typeof calls.retryMails> =>
  async asked => {
    const { allUnits } = asked.caller
    return world.database.acrossUnits(allUnits, async tx => {
      const mails = await holdRefusedMails(tx, asked.ask.uuids)
      for (const mail of mails) await sendAgain(world, tx, asked, mail)
      return outcome(asked.ask.uuids, mails.length)
    })
  }

type RefusedMail = { id: string; unitId: string; template: string; reason: string | null }

/** By the job that failed; where that is gone, by a new one. */
async function sendAgain(world: World, tx: AllUnitsTx, asked: HandlerInput<typeof calls.retryMails>, mail: RefusedMail): Promise<void> {
  const { userId } = asked.caller
  const job = await holdFailedJobOfMail(tx, mail.unitId, mail.id)
  if (job) await again(world, tx, job)
  else {
    await putBackMail(tx, mail.unitId, mail.id)
    await world.outbox.publish(within(tx, scopeOf(mail.unitId)), mailWritten, { mailId: mail.id })
  }
  const deed = { action: 'administration.mail_retried', outcome: 'done' as const, userId, businessUnitId: mail.unitId, object: mail.id }
  await audit(world, tx, asked, { ...deed, details: { template: mail.template, error: mail.reason } })
}

const outcome = (asked: string[], retried: number) => ({ retried, left: new Set(asked).size - retried })
