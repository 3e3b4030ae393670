import * as z from 'zod/mini'
import { call } from '#common/kit/call.ts'
import { pages, paging, unitName } from './shapes.ts'

/** Of a retry: which ones. What is not failed any more is left as it is. */
const chosen = { uuids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(100)) }
const retried = z.object({ retried: z.number(), left: z.number() })
const ofUnit = { businessUnitUuid: z.optional(z.uuid()) }

export const listJobs = call({
  method: 'POST',
  path: '/api/administration/jobs/list',
  summary: 'Jobs that failed, or still wait or run',
  needs: 'administration',
  ask: z.strictObject({ ...paging, ...ofUnit, state: z._default(z.enum(['failed', 'waiting', 'running']), 'failed') }),
  answer: z.object({
    ...pages,
    jobs: z.array(
      z.object({
        uuid: z.uuid(),
        businessUnit: unitName,
        topic: z.string(),
        subscriber: z.string(),
        state: z.string(),
        attempts: z.number(),
        createdAt: z.string(),
        runAt: z.string(),
        finishedAt: z.nullable(z.string()),
        lastError: z.nullable(z.string()),
        payload: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
})

export const retryJobs = call({
  method: 'POST',
  path: '/api/administration/jobs/retry',
  summary: 'Try failed jobs again, at once',
  needs: 'administration',
  ask: z.strictObject(chosen),
  answer: retried,
})

export const retryAllJobs = call({
  method: 'POST',
  path: '/api/administration/jobs/retry-all',
  summary: 'Try all failed jobs again, of one business unit or of all',
  needs: 'administration',
  ask: z.strictObject(ofUnit),
  answer: z.object({ retried: z.number() }),
})

export const releaseJobs = call({
  method: 'POST',
  path: '/api/administration/jobs/release',
  summary: 'Release the jobs of a restored copy, which are held until then',
  needs: 'administration',
  ask: z.strictObject({}),
  answer: z.object({
    /** False where nothing was held. */
    released: z.boolean(),
  }),
})

export const listMails = call({
  method: 'POST',
  path: '/api/administration/mails/list',
  summary: 'Mails that were refused, still wait, left, or were withdrawn; the newest first',
  needs: 'administration',
  ask: z.strictObject({ ...paging, ...ofUnit, state: z._default(z.enum(['refused', 'queued', 'sent', 'withdrawn']), 'refused') }),
  answer: z.object({
    ...pages,
    mails: z.array(
      z.object({
        uuid: z.uuid(),
        businessUnit: unitName,
        at: z.string(),
        template: z.string(),
        recipientName: z.string(),
        recipientAddress: z.string(),
        subject: z.nullable(z.string()),
        attachments: z.number(),
        state: z.enum(['queued', 'sent', 'refused', 'withdrawn']),
        reason: z.nullable(z.string()),
        finishedAt: z.nullable(z.string()),
      }),
    ),
  }),
})

export const retryMails = call({
  method: 'POST',
  path: '/api/administration/mails/retry',
  summary: 'Send refused mails again',
  needs: 'administration',
  ask: z.strictObject(chosen),
  answer: retried,
})
