import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/work.ts'

const call = callsOf<typeof schemas>()('administration')

export const listJobs = call<'listJobs'>('POST', '/api/administration/jobs/list')
export const retryJobs = call<'retryJobs'>('POST', '/api/administration/jobs/retry')
export const retryAllJobs = call<'retryAllJobs'>('POST', '/api/administration/jobs/retry-all')
export const releaseJobs = call<'releaseJobs'>('POST', '/api/administration/jobs/release')
export const listMails = call<'listMails'>('POST', '/api/administration/mails/list')
export const retryMails = call<'retryMails'>('POST', '/api/administration/mails/retry')
