import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const ticketViews: Call<typeof schemas.ticketViews> = {
  method: 'POST',
  path: '/api/tickets/views',
  needs: 'b2b-access',
}

export const saveTicketView: Call<typeof schemas.saveTicketView> = {
  method: 'PUT',
  path: '/api/tickets/views',
  needs: 'b2b-access',
}

export const deleteTicketView: Call<typeof schemas.deleteTicketView> = {
  method: 'DELETE',
  path: '/api/tickets/views',
  needs: 'b2b-access',
}
