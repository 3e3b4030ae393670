import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const ticketTypes: Call<typeof schemas.ticketTypes> = {
  method: 'GET',
  path: '/api/tickets/types',
  needs: 'b2b-access',
}

export const ticketForms: Call<typeof schemas.ticketForms> = {
  method: 'GET',
  path: '/api/tickets/forms',
  needs: 'b2b-access',
}

export const uploadTicketFile: Call<typeof schemas.uploadTicketFile> = {
  method: 'POST',
  path: '/api/tickets/files',
  needs: 'b2b-access',
  idempotent: true,
}

export const dropTicketFile: Call<typeof schemas.dropTicketFile> = {
  method: 'DELETE',
  path: '/api/tickets/files',
  needs: 'b2b-access',
}

export const fileClaim: Call<typeof schemas.fileClaim> = {
  method: 'POST',
  path: '/api/tickets/claims',
  needs: 'b2b-access',
  idempotent: true,
}

export const fileRequest: Call<typeof schemas.fileRequest> = {
  method: 'POST',
  path: '/api/tickets/requests',
  needs: 'b2b-access',
  idempotent: true,
}

export const listTickets: Call<typeof schemas.listTickets> = {
  method: 'POST',
  path: '/api/tickets/list',
  needs: 'b2b-access',
}

export const ticketDetail: Call<typeof schemas.ticketDetail> = {
  method: 'POST',
  path: '/api/tickets/detail',
  needs: 'b2b-access',
}

export const sendTicketMessage: Call<typeof schemas.sendTicketMessage> = {
  method: 'POST',
  path: '/api/tickets/{uuid}/messages',
  needs: 'b2b-access',
  idempotent: true,
}

export const setTicketStatus: Call<typeof schemas.setTicketStatus> = {
  method: 'PUT',
  path: '/api/tickets/{uuid}/status',
  needs: 'b2b-access',
}

export const setMisfiled: Call<typeof schemas.setMisfiled> = {
  method: 'PUT',
  path: '/api/tickets/{uuid}/misfiled',
  needs: 'b2b-admin',
}
