import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A reply that is a file instead of an envelope, sent while it is created. */
export class Download {
  readonly name: string
  readonly mediaType: string
  readonly content: Readable | Buffer
  /** `inline` lets a browser show the file, in a tab of its own and without scripts. */
  readonly disposition: 'attachment' | 'inline'

  constructor(file: { name: string; mediaType: string; content: Readable | Buffer; disposition?: 'attachment' | 'inline' }) {
    this.name = file.name
    this.mediaType = file.mediaType
    this.content = file.content
    this.disposition = file.disposition ?? 'attachment'
  }
}

export const sendDownload = (reply: FastifyReply, { name, mediaType, content, disposition }: Download): FastifyReply =>
  reply
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .header(
      'content-disposition',
      `${disposition}; filename="${plainName(name)}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`,
    )
    .type(mediaType)
    .send(content)

/** Returns the name for programs that do not read the encoded one. */
const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^ -~]/g, '')
    .replaceAll(/["\\]/g, '_')
