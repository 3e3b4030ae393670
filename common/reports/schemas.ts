import * as z from 'zod/mini'
import { ways } from '#common/accounting/book.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { dateInReach as day } from '#common/kit/schemas/parts.ts'
import { savedView, viewName } from '#common/views/schemas.ts'
import { mostRecipients, reportFormats, reportGroups, reportKinds, reportPeriods } from './report.ts'

const isEachOnce = (list: readonly unknown[]): boolean => new Set(list).size === list.length

const filters = {
  productUuid: z.optional(z.nullable(z.uuid())),
  sellerUuid: z.optional(z.nullable(z.uuid())),
  way: z.optional(z.nullable(z.enum(ways))),
}

/** The choice of a report, without its days. `deeds` has a row for each movement, and no groups. */
const choice = {
  report: z.enum(reportKinds),
  groupBy: z._default(z.array(z.enum(reportGroups)).check(z.refine(isEachOnce)), []),
  filters: z._default(z.strictObject(filters), {}),
  format: z.enum(reportFormats),
}

const shownChoice = {
  report: z.enum(reportKinds),
  groupBy: z.array(z.enum(reportGroups)),
  filters: z.object(filters),
  format: z.enum(reportFormats),
}

const report = {
  reportUuid: z.uuid(),
  /** `failed`: its job has failed for good. */
  state: z.enum(['making', 'ready', 'failed']),
  ...shownChoice,
  from: z.string(),
  to: z.string(),
  scheduled: z.boolean(),
  createdAt: z.string(),
  /** The time at which its file is deleted. */
  keptUntil: z.string(),
}

export const runReport = {
  summary: 'Makes a report of some days as a workbook or CSV; its file is there a moment later, and is kept for seven days',
  request: z.strictObject({ ...choice, from: day, to: day }),
  response: z.object({ reportUuid: z.uuid() }),
} satisfies CallSchemas

export const reports = {
  summary: 'Lists the caller’s reports of the last seven days, the newest first: those that the caller ran or got by a schedule',
  request: z.strictObject({
    /** The id of a report to list even if newer ones fill the list. */
    uuid: z.optional(z.uuid()),
  }),
  response: z.object({ reports: z.array(z.object(report)) }),
} satisfies CallSchemas

export const reportFile = {
  summary: 'Sends the file of a report, or its state as long as there is none',
  request: z.strictObject({ uuid: z.uuid() }),
  response: z.object({ state: z.enum(['making', 'failed']) }),
} satisfies CallSchemas

const when = z
  .strictObject({
    monthDay: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(28)))),
    weekday: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(7)))),
    hour: z.int().check(z.gte(0), z.lte(23)),
  })
  .check(z.refine(({ monthDay, weekday }) => (monthDay ?? undefined) === undefined || (weekday ?? undefined) === undefined))
  .check(z.refine(({ monthDay, weekday }) => (monthDay ?? weekday ?? undefined) !== undefined))

const schedule = {
  ...choice,
  period: z.enum(reportPeriods),
  /** A day of each month, or a day of each week (1 is Monday), at an hour of the agency’s clock. */
  when,
  to: z.array(z.uuid()).check(z.minLength(1), z.maxLength(mostRecipients), z.refine(isEachOnce)),
}

const person = { uuid: z.uuid(), name: z.string() }

export const reportSchedules = {
  summary: 'Lists the schedules by which reports are mailed, and the users who may get one',
  request: z.strictObject({}),
  response: z.object({
    schedules: z.array(
      z.object({
        scheduleUuid: z.uuid(),
        ...shownChoice,
        period: z.enum(reportPeriods),
        when: z.object({ monthDay: z.nullable(z.number()), weekday: z.nullable(z.number()), hour: z.number() }),
        /** `receives` is false for users who have lost the permission or left. They get no email. */
        to: z.array(z.object({ ...person, receives: z.boolean() })),
        nextAt: z.string(),
        /** The time of its last report, if that one failed. */
        failedAt: z.nullable(z.string()),
      }),
    ),
    people: z.array(z.object(person)),
  }),
} satisfies CallSchemas

const scheduled = z.object({ scheduleUuid: z.uuid(), nextAt: z.string() })

export const createReportSchedule = {
  summary: 'Has a report made each month or week; its recipients get an email with a link to it, never the file itself',
  request: z.strictObject(schedule),
  response: scheduled,
} satisfies CallSchemas

export const changeReportSchedule = {
  summary: 'Changes a schedule of reports',
  request: z.strictObject({ scheduleUuid: z.uuid(), ...schedule }),
  response: scheduled,
} satisfies CallSchemas

export const deleteReportSchedule = {
  summary: 'Deletes a schedule of reports; those that were made stay until their days are over',
  request: z.strictObject({ scheduleUuid: z.uuid() }),
  response: z.object({ deleted: z.literal(true) }),
} satisfies CallSchemas

/** A saved view has no product or agent, whose names would have to be looked up. */
const view = z.strictObject({ report: choice.report, groupBy: choice.groupBy, format: choice.format })

export const reportViews = {
  summary: 'Returns the reports that the user has saved under a name',
  request: z.strictObject({}),
  response: z.object({ views: z.array(z.object({ viewUuid: z.uuid(), name: z.string(), params: view })) }),
} satisfies CallSchemas

export const saveReportView = {
  summary: 'Saves a report under a name, in place of an own one of that name; the limit is that of the views of all lists',
  request: z.strictObject({ name: viewName, params: view }),
  response: savedView,
} satisfies CallSchemas

export { deleteView as deleteReportView } from '#common/views/schemas.ts'
