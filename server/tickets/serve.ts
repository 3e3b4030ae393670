import * as calls from '#common/tickets/calls.ts'
import { unreadTickets } from '#common/tickets/unread-call.ts'
import type { Files } from '#server/documents/files.ts'
import type { Front } from '#server/kit/front.ts'
import { serve, serveFiles } from '#server/kit/serve.ts'
import { absentNoted } from '#server/session/audit.ts'
import { fileClaim, fileRequest } from './file.ts'
import { drop, keeping, upload } from './files.ts'
import { forms, types } from './forms.ts'
import { serveInboundMail } from './inbound.ts'
import { detail, list, unread } from './read.ts'
import { sendMessage, setStatus } from './write.ts'

export async function serveTickets(front: Front, files: Files): Promise<void> {
  const { world } = front
  const keeper = keeping(world, files)
  serve(front, calls.ticketTypes, types(world))
  serve(front, calls.ticketForms, forms(world))
  serveFiles(front, calls.uploadTicketFile, keeper, upload)
  serve(front, calls.dropTicketFile, drop(world, files))
  serveFiles(front, calls.fileClaim, keeper, fileClaim(world))
  serveFiles(front, calls.fileRequest, keeper, fileRequest(world))
  serve(front, calls.listTickets, list(world))
  serve(front, unreadTickets, unread(world))
  serve(
    front,
    calls.ticketDetail,
    absentNoted(world, calls.ticketDetail, ({ ticketUuid }) => ticketUuid, detail(world)),
  )
  serveFiles(
    front,
    calls.sendTicketMessage,
    keeper,
    absentNoted(world, calls.sendTicketMessage, ({ uuid }) => uuid, sendMessage(world)),
  )
  serve(
    front,
    calls.setTicketStatus,
    absentNoted(world, calls.setTicketStatus, ({ uuid }) => uuid, setStatus(world)),
  )
  await serveInboundMail(front, files)
}
