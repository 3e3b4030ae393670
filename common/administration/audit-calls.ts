import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/audit.ts'

export const listAudit: Call<typeof schemas.listAudit, 'administration'> = {
  method: 'POST',
  path: '/api/administration/audit/list',
  needs: 'administration',
}

export const exportAudit: Call<typeof schemas.exportAudit, 'administration'> = {
  method: 'POST',
  path: '/api/administration/audit/export',
  needs: 'administration',
}
