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

/** Returns a Content-Disposition header (RFC 6266) with a name in any script. It also has a plain name for old programs. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const shown = name.replaceAll(/[\p{C}/\\]/gu, '_')
  const plain = shown
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["%;]/g, '_')
  const encoded = encodeURIComponent(shown).replaceAll(/['()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
