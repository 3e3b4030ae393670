import * as calls from '#common/reports/calls.ts'
import * as schemas from '#common/reports/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
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
  serve(context, calls.runReport, schemas.runReport, runReport(world))
  serve(context, calls.reports, schemas.reports, listReports(world))
  serve(
    context,
    calls.reportFile,
    schemas.reportFile,
    auditNotFound(world, calls.reportFile, ({ uuid }) => uuid, reportFile(world)),
  )
  serve(context, calls.reportSchedules, schemas.reportSchedules, listSchedules(world))
  serve(context, calls.createReportSchedule, schemas.createReportSchedule, createSchedule(world))
  serve(
    context,
    calls.changeReportSchedule,
    schemas.changeReportSchedule,
    auditNotFound(world, calls.changeReportSchedule, ({ scheduleUuid }) => scheduleUuid, changeSchedule(world)),
  )
  serve(
    context,
    calls.deleteReportSchedule,
    schemas.deleteReportSchedule,
    auditNotFound(world, calls.deleteReportSchedule, ({ scheduleUuid }) => scheduleUuid, removeSchedule(world)),
  )
  serve(context, calls.reportViews, schemas.reportViews, reportViews(world))
  serve(context, calls.saveReportView, schemas.saveReportView, saveReportView(world))
  serve(
    context,
    calls.deleteReportView,
    schemas.deleteReportView,
    auditNotFound(world, calls.deleteReportView, ({ viewUuid }) => viewUuid, removeView(world, ['report'])),
  )
  world.outbox.subscribe(reportAsked, 'reports.make', makeReport(world), { givingUp: reportGivenUp(world) })
}
