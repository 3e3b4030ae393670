import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const runReport: Call<typeof schemas.runReport> = {
  method: 'POST',
  path: '/api/reports/run',
  needs: 'b2b-accounting-view',
  idempotent: true,
}

export const reports: Call<typeof schemas.reports> = {
  method: 'GET',
  path: '/api/reports',
  needs: 'b2b-accounting-view',
}

export const reportFile: Call<typeof schemas.reportFile> = {
  method: 'GET',
  path: '/api/reports/file',
  needs: 'b2b-accounting-view',
}

export const reportSchedules: Call<typeof schemas.reportSchedules> = {
  method: 'GET',
  path: '/api/reports/schedules',
  needs: 'b2b-accounting-view',
}

export const createReportSchedule: Call<typeof schemas.createReportSchedule> = {
  method: 'POST',
  path: '/api/reports/schedules',
  needs: 'b2b-accounting-view',
  idempotent: true,
}

export const changeReportSchedule: Call<typeof schemas.changeReportSchedule> = {
  method: 'PUT',
  path: '/api/reports/schedules',
  needs: 'b2b-accounting-view',
  idempotent: true,
}

export const deleteReportSchedule: Call<typeof schemas.deleteReportSchedule> = {
  method: 'DELETE',
  path: '/api/reports/schedules',
  needs: 'b2b-accounting-view',
  idempotent: true,
}

export const reportViews: Call<typeof schemas.reportViews> = {
  method: 'GET',
  path: '/api/reports/views',
  needs: 'b2b-accounting-view',
}

export const saveReportView: Call<typeof schemas.saveReportView> = {
  method: 'PUT',
  path: '/api/reports/views',
  needs: 'b2b-accounting-view',
}

export const deleteReportView: Call<typeof schemas.deleteReportView> = {
  method: 'DELETE',
  path: '/api/reports/views',
  needs: 'b2b-accounting-view',
}
