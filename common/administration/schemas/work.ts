import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { pages, paging, unitName } from './parts.ts'

/** Of a retry: which ones. What is not failed any more is left as it is. */
const chosen = { uuids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(100)) }
const retried = z.object({ retried: z.number(), left: z.number() })
const ofUnit = { businessUnitUuid: z.optional(z.uuid()) }

export const listJobs = {
  summary: 'Jobs that failed, or still wait or run',
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
} satisfies CallSchemas

export const retryJobs = {
  summary: 'Try failed jobs again, at once',
  ask: z.strictObject(chosen),
  answer: retried,
} satisfies CallSchemas

export const retryAllJobs = {
  summary: 'Try all failed jobs again, of one business unit or of all',
  ask: z.strictObject(ofUnit),
  answer: z.object({ retried: z.number() }),
} satisfies CallSchemas

export const releaseJobs = {
  summary: 'Release the jobs of a restored copy, which are held until then',
  ask: z.strictObject({}),
  answer: z.object({
    /** False where nothing was held. */
    released: z.boolean(),
  }),
} satisfies CallSchemas

export const listMails = {
  summary: 'Mails that were refused, still wait, left, or were withdrawn; the newest first',
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
} satisfies CallSchemas

export const retryMails = {
  summary: 'Send refused mails again',
  ask: z.strictObject(chosen),
  answer: retried,
} satisfies CallSchemas
