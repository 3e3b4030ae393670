import { accountingQuery } from '#common/accounting/calls.ts'
import * as accountingSchemas from '#common/accounting/schemas.ts'
import * as calls from '#common/tickets/calls.ts'
import * as schemas from '#common/tickets/schemas.ts'
import * as unreadCalls from '#common/tickets/unread-calls.ts'
import { ticketKinds } from '#common/products/tickets.ts'
import { type Files, openUploads } from '#server/documents/public.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import { auditNotFound } from '#server/session/public.ts'
import { removeView } from '#server/views/public.ts'
import { askAboutEntry } from './questions/entry-question.ts'
import { fileClaim, fileRequest } from './file.ts'
import { forms, types } from './forms.ts'
import { serveInboundMail } from './inbound/inbound.ts'
import { ticketUploads } from './queries.ts'
import { detail, list, saveTicketView, ticketViews, unread } from './read.ts'
import { sendMessage, setMisfiled, setStatus } from './write.ts'

export async function serveTickets(context: AppContext, files: Files): Promise<void> {
  const { world } = context
  const { keeping, upload, drop } = openUploads(world, files, ticketUploads)
  serveAll(
    context,
    { ...calls, ...unreadCalls, accountingQuery },
    { ...schemas, ...accountingSchemas },
    {
      ticketTypes: types(world),
      ticketForms: forms(world),
      uploadTicketFile: { keeping, handler: upload },
      dropTicketFile: drop,
      fileClaim: { keeping, handler: fileClaim(world) },
      fileRequest: { keeping, handler: fileRequest(world) },
      accountingQuery: auditNotFound(world, 'entryUuid', askAboutEntry(world)),
      listTickets: list(world),
      unreadTickets: unread(world),
      ticketViews: ticketViews(world),
      saveTicketView: saveTicketView(world),
      deleteTicketView: auditNotFound(world, 'viewUuid', removeView(world, ticketKinds)),
      ticketDetail: auditNotFound(world, 'ticketUuid', detail(world)),
      sendTicketMessage: { keeping, handler: auditNotFound(world, 'uuid', sendMessage(world)) },
      setTicketStatus: auditNotFound(world, 'uuid', setStatus(world)),
      setMisfiled: auditNotFound(world, 'uuid', setMisfiled(world)),
    },
  )
  await serveInboundMail(context, files)
}
