import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/work.ts'

export const listJobs: Call<typeof schemas.listJobs, 'administration'> = {
  method: 'POST',
  path: '/api/administration/jobs/list',
  needs: 'administration',
}

export const retryJobs: Call<typeof schemas.retryJobs, 'administration'> = {
  method: 'POST',
  path: '/api/administration/jobs/retry',
  needs: 'administration',
}

export const retryAllJobs: Call<typeof schemas.retryAllJobs, 'administration'> = {
  method: 'POST',
  path: '/api/administration/jobs/retry-all',
  needs: 'administration',
}

export const releaseJobs: Call<typeof schemas.releaseJobs, 'administration'> = {
  method: 'POST',
  path: '/api/administration/jobs/release',
  needs: 'administration',
}

export const listMails: Call<typeof schemas.listMails, 'administration'> = {
  method: 'POST',
  path: '/api/administration/mails/list',
  needs: 'administration',
}

export const retryMails: Call<typeof schemas.retryMails, 'administration'> = {
  method: 'POST',
  path: '/api/administration/mails/retry',
  needs: 'administration',
}
