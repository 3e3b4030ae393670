import { dropTicketFile, uploadTicketFile } from '#common/tickets/calls.ts'
import { mostFiles } from '#common/tickets/ticket.ts'
import { openUploads, upload } from '#portal/documents/upload/uploads.ts'
import { ask } from '#portal/kit/ask.ts'

/** The files of tickets and messages, by their draft or message. */
export const ticketUploads = openUploads({
  put: (file, options) => upload(uploadTicketFile, file, options),
  drop: fileUuid => ask(dropTicketFile, { fileUuid }),
  most: mostFiles,
})
