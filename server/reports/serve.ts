import * as calls from '#common/reports/calls.ts'
import * as schemas from '#common/reports/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import { auditNotFound } from '#server/session/public.ts'
import { removeView } from '#server/views/public.ts'
import { reportFile } from './file.ts'
import { makeReport, reportAsked, reportGivenUp } from './make.ts'
import { listReports, runReport } from './run.ts'
import { changeSchedule, createSchedule, listSchedules, removeSchedule } from './schedules.ts'
import { reportViews, saveReportView } from './views.ts'

/** Serves reports of an agency's sales and earnings, and the schedules by which they are mailed (decision 61). */
export function serveReports(context: AppContext): void {
  const { world } = context
  serveAll(context, calls, schemas, {
    runReport: runReport(world),
    reports: listReports(world),
    reportFile: auditNotFound(world, 'uuid', reportFile(world)),
    reportSchedules: listSchedules(world),
    createReportSchedule: createSchedule(world),
    changeReportSchedule: auditNotFound(world, 'scheduleUuid', changeSchedule(world)),
    deleteReportSchedule: auditNotFound(world, 'scheduleUuid', removeSchedule(world)),
    reportViews: reportViews(world),
    saveReportView: saveReportView(world),
    deleteReportView: auditNotFound(world, 'viewUuid', removeView(world, ['report'])),
  })
  world.outbox.subscribe(reportAsked, 'reports.make', makeReport(world), { givingUp: reportGivenUp(world) })
}
