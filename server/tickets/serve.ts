import * as calls from '#common/tickets/calls.ts'
import * as schemas from '#common/tickets/schemas.ts'
import { unreadTickets } from '#common/tickets/unread-calls.ts'
import * as unreadSchemas from '#common/tickets/unread-schemas.ts'
import type { Files } from '#server/documents/public.ts'
import type { Front } from '#server/kit/front.ts'
import { serve, serveFiles } from '#server/kit/serve.ts'
import { auditNotFound } from '#server/session/public.ts'
import { fileClaim, fileRequest } from './file.ts'
import { drop, keeping, upload } from './files.ts'
import { forms, types } from './forms.ts'
import { serveInboundMail } from './inbound.ts'
import { detail, list, unread } from './read.ts'
import { sendMessage, setStatus } from './write.ts'

export async function serveTickets(front: Front, files: Files): Promise<void> {
  const { world } = front
  const keeper = keeping(world, files)
  serve(front, calls.ticketTypes, schemas.ticketTypes, types(world))
  serve(front, calls.ticketForms, schemas.ticketForms, forms(world))
  serveFiles(front, calls.uploadTicketFile, schemas.uploadTicketFile, keeper, upload)
  serve(front, calls.dropTicketFile, schemas.dropTicketFile, drop(world, files))
  serveFiles(front, calls.fileClaim, schemas.fileClaim, keeper, fileClaim(world))
  serveFiles(front, calls.fileRequest, schemas.fileRequest, keeper, fileRequest(world))
  serve(front, calls.listTickets, schemas.listTickets, list(world))
  serve(front, unreadTickets, unreadSchemas.unreadTickets, unread(world))
  serve(
    front,
    calls.ticketDetail,
    schemas.ticketDetail,
    auditNotFound(world, calls.ticketDetail, ({ ticketUuid }) => ticketUuid, detail(world)),
  )
  serveFiles(
    front,
    calls.sendTicketMessage,
    schemas.sendTicketMessage,
    keeper,
    auditNotFound(world, calls.sendTicketMessage, ({ uuid }) => uuid, sendMessage(world)),
  )
  serve(
    front,
    calls.setTicketStatus,
    schemas.setTicketStatus,
    auditNotFound(world, calls.setTicketStatus, ({ uuid }) => uuid, setStatus(world)),
  )
  await serveInboundMail(front, files)
}
