import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { nothing } from '#common/kit/schemas/parts.ts'
import { pages, paging, unitName } from './parts.ts'

/** The ids to retry. Items that are no longer failed stay unchanged. */
const chosen = { uuids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(100)) }
const retried = z.object({ retried: z.number(), left: z.number() })
const ofUnit = { businessUnitUuid: z.optional(z.uuid()) }

export const listJobs = {
  summary: 'Lists jobs that failed, wait or run',
  request: z.strictObject({ ...paging, ...ofUnit, state: z._default(z.enum(['failed', 'waiting', 'running']), 'failed') }),
  response: z.object({
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
  summary: 'Retries failed jobs at once',
  request: z.strictObject(chosen),
  response: retried,
} satisfies CallSchemas

export const retryAllJobs = {
  summary: 'Retries all failed jobs of one business unit or of all',
  request: z.strictObject(ofUnit),
  response: z.object({ retried: z.number() }),
} satisfies CallSchemas

export const releaseJobs = {
  summary: 'Releases the jobs of a restored copy, which are held until then',
  request: nothing,
  response: z.object({
    /** False if no jobs were held. */
    released: z.boolean(),
  }),
} satisfies CallSchemas

export const listMails = {
  summary: 'Lists refused, waiting, sent and dropped emails; the newest first',
  request: z.strictObject({ ...paging, ...ofUnit, state: z._default(z.enum(['refused', 'queued', 'sent', 'withdrawn']), 'refused') }),
  response: z.object({
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
  summary: 'Sends refused emails again',
  request: z.strictObject(chosen),
  response: retried,
} satisfies CallSchemas

export const overview = {
  summary: 'Counts failed jobs, refused emails and payments to review, and everything else',
  request: nothing,
  response: z.object({
    jobsFailed: z.number(),
    jobsWaiting: z.number(),
    /** The time since which the jobs of a restored copy have been held; null if they are not held. */
    jobsHeldSince: z.nullable(z.string()),
    mailsRefused: z.number(),
    paymentReviews: z.number(),
    units: z.number(),
    unitsSuspended: z.number(),
    users: z.number(),
    usersSuspended: z.number(),
    catalogueLoadedAt: z.nullable(z.string()),
  }),
} satisfies CallSchemas
