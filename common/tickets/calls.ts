import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const calls = callsOf<typeof schemas>()
const access = calls('b2b-access')
const admin = calls('b2b-admin')

export const ticketTypes = access<'ticketTypes'>('GET', '/api/tickets/types')
export const ticketForms = access<'ticketForms'>('GET', '/api/tickets/forms')
export const uploadTicketFile = access<'uploadTicketFile'>('POST', '/api/tickets/files', { idempotent: true })
export const dropTicketFile = access<'dropTicketFile'>('DELETE', '/api/tickets/files')
export const fileClaim = access<'fileClaim'>('POST', '/api/tickets/claims', { idempotent: true })
export const fileRequest = access<'fileRequest'>('POST', '/api/tickets/requests', { idempotent: true })
export const listTickets = access<'listTickets'>('POST', '/api/tickets/list')
export const ticketDetail = access<'ticketDetail'>('POST', '/api/tickets/detail')
export const sendTicketMessage = access<'sendTicketMessage'>('POST', '/api/tickets/{uuid}/messages', { idempotent: true })
export const setTicketStatus = access<'setTicketStatus'>('PUT', '/api/tickets/{uuid}/status')
export const setMisfiled = admin<'setMisfiled'>('PUT', '/api/tickets/{uuid}/misfiled')

export const ticketViews = access<'ticketViews'>('POST', '/api/tickets/views')
export const saveTicketView = access<'saveTicketView'>('PUT', '/api/tickets/views')
export const deleteTicketView = access<'deleteTicketView'>('DELETE', '/api/tickets/views')
