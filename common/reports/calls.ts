import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const call = callsOf<typeof schemas>()('b2b-accounting-view')

export const runReport = call<'runReport'>('POST', '/api/reports/run', { idempotent: true })
export const reports = call<'reports'>('GET', '/api/reports')
export const reportFile = call<'reportFile'>('GET', '/api/reports/file')
export const reportSchedules = call<'reportSchedules'>('GET', '/api/reports/schedules')
export const createReportSchedule = call<'createReportSchedule'>('POST', '/api/reports/schedules', { idempotent: true })
export const changeReportSchedule = call<'changeReportSchedule'>('PUT', '/api/reports/schedules', { idempotent: true })
export const deleteReportSchedule = call<'deleteReportSchedule'>('DELETE', '/api/reports/schedules', { idempotent: true })
export const reportViews = call<'reportViews'>('GET', '/api/reports/views')
export const saveReportView = call<'saveReportView'>('PUT', '/api/reports/views')
export const deleteReportView = call<'deleteReportView'>('DELETE', '/api/reports/views')
