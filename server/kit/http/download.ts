import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** What a call answers when it is no envelope but a file, sent as it is made. */
export class Download {
  readonly name: string
  readonly mediaType: string
  readonly content: Readable | Buffer
  /** inline: a browser may show it, within its own tab and with no script. */
  readonly place: 'attachment' | 'inline'

  constructor(file: { name: string; mediaType: string; content: Readable | Buffer; place?: 'attachment' | 'inline' }) {
    this.name = file.name
    this.mediaType = file.mediaType
    this.content = file.content
    this.place = file.place ?? 'attachment'
  }
}

export const sendDownload = (reply: FastifyReply, { name, mediaType, content, place }: Download): FastifyReply =>
  reply
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .header(
      'content-disposition',
      `${place}; filename="${plainName(name)}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`,
    )
    .type(mediaType)
    .send(content)

/** For programs that do not read the encoded name. */
const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^ -~]/g, '')
    .replaceAll(/["\\]/g, '_')
