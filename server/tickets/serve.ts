import { accountingQuery } from '#common/accounting/calls.ts'
import * as accountingSchemas from '#common/accounting/schemas.ts'
import * as calls from '#common/tickets/calls.ts'
import * as schemas from '#common/tickets/schemas.ts'
import { unreadTickets } from '#common/tickets/unread-calls.ts'
import * as viewCalls from '#common/tickets/views/calls.ts'
import * as viewSchemas from '#common/tickets/views/schemas.ts'
import * as unreadSchemas from '#common/tickets/unread-schemas.ts'
import { ticketKinds } from '#common/products/tickets.ts'
import { type Files, openUploads } from '#server/documents/public.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve, serveFiles } from '#server/kit/serve.ts'
import { auditNotFound } from '#server/session/public.ts'
import { removeView } from '#server/views/public.ts'
import { askAboutEntry } from './questions/entry-question.ts'
import { fileClaim, fileRequest } from './file.ts'
import { forms, types } from './forms.ts'
import { serveInboundMail } from './inbound/inbound.ts'
import { ticketUploads } from './queries.ts'
import { detail, list, unread } from './read.ts'
import { saveTicketView, ticketViews } from './views/views.ts'
import { sendMessage, setMisfiled, setStatus } from './write.ts'

export async function serveTickets(context: AppContext, files: Files): Promise<void> {
  const { world } = context
  const { keeping: keeper, upload, drop } = openUploads(world, files, ticketUploads)
  serve(context, calls.ticketTypes, schemas.ticketTypes, types(world))
  serve(context, calls.ticketForms, schemas.ticketForms, forms(world))
  serveFiles(context, calls.uploadTicketFile, schemas.uploadTicketFile, keeper, upload)
  serve(context, calls.dropTicketFile, schemas.dropTicketFile, drop)
  serveFiles(context, calls.fileClaim, schemas.fileClaim, keeper, fileClaim(world))
  serveFiles(context, calls.fileRequest, schemas.fileRequest, keeper, fileRequest(world))
  serve(
    context,
    accountingQuery,
    accountingSchemas.accountingQuery,
    auditNotFound(world, accountingQuery, ({ entryUuid }) => entryUuid, askAboutEntry(world)),
  )
  serve(context, calls.listTickets, schemas.listTickets, list(world))
  serve(context, unreadTickets, unreadSchemas.unreadTickets, unread(world))
  serve(context, viewCalls.ticketViews, viewSchemas.ticketViews, ticketViews(world))
  serve(context, viewCalls.saveTicketView, viewSchemas.saveTicketView, saveTicketView(world))
  serve(
    context,
    viewCalls.deleteTicketView,
    viewSchemas.deleteTicketView,
    auditNotFound(world, viewCalls.deleteTicketView, ({ viewUuid }) => viewUuid, removeView(world, ticketKinds)),
  )
  serve(
    context,
    calls.ticketDetail,
    schemas.ticketDetail,
    auditNotFound(world, calls.ticketDetail, ({ ticketUuid }) => ticketUuid, detail(world)),
  )
  serveFiles(
    context,
    calls.sendTicketMessage,
    schemas.sendTicketMessage,
    keeper,
    auditNotFound(world, calls.sendTicketMessage, ({ uuid }) => uuid, sendMessage(world)),
  )
  serve(
    context,
    calls.setTicketStatus,
    schemas.setTicketStatus,
    auditNotFound(world, calls.setTicketStatus, ({ uuid }) => uuid, setStatus(world)),
  )
  serve(
    context,
    calls.setMisfiled,
    schemas.setMisfiled,
    auditNotFound(world, calls.setMisfiled, ({ uuid }) => uuid, setMisfiled(world)),
  )
  await serveInboundMail(context, files)
}
