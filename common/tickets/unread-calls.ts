import type { Call } from '#common/kit/call.ts'
import type * as schemas from './unread-schemas.ts'

export const unreadTickets: Call<typeof schemas.unreadTickets> = {
  method: 'GET',
  path: '/api/tickets/unread',
  needs: 'b2b-access',
}
