import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

// Small files of every accepted kind, and functions to damage them.

export const pdf = (objects = '1 0 obj << /Type /Catalog >> endobj', after = ''): Buffer =>
  Buffer.from(`%PDF-1.7\n${objects}\ntrailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF\n${after}`, 'latin1')

export const pdfStream = (dictionary: string, content: Buffer | string): string =>
  `2 0 obj << ${dictionary} >>\nstream\n${Buffer.from(content).toString('latin1')}\nendstream endobj`

export const png = (extra: Buffer[] = [], after: Buffer | string = ''): Buffer =>
  Buffer.concat([pngFrom(1, 1, [...extra, chunk('IDAT', deflateSync(Buffer.from([0, 0])))]), Buffer.from(after)])

/** Returns a picture that declares this size, without pixel data. */
export const pngOf = (width: number, height: number): Buffer => pngFrom(width, height, [chunk('IDAT', 'x')])

/** Returns a grey picture of this size with these chunks. */
export function pngFrom(width: number, height: number, chunks: Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), ...chunks, chunk('IEND', '')])
}

export function chunk(name: string, content: Buffer | string): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), Buffer.from(content)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export function jpg(comment = 'a beach', after: Buffer | string = ''): Buffer {
  const segment = (marker: number, content: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  }
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xfe, Buffer.from(comment)),
    segment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd9]),
    Buffer.from(after),
  ])
}

export function heic(brand = 'heic'): Buffer {
  const box = (name: string, content: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(content.length + 8)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, content])
  }
  return Buffer.concat([box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1`)), box('meta', Buffer.alloc(12)), box('mdat', Buffer.alloc(20))])
}

export type ZipPart = { name: string; content: Buffer | string; unixMode?: number; flags?: number; claimedSize?: number; stored?: boolean }

/** Returns an archive as any program writes it, with the facts that each part declares. */
export function zip(parts: ZipPart[], { gap = '', comment = '' } = {}): Buffer {
  const files: Buffer[] = [Buffer.from(gap)]
  const table: Buffer[] = []
  for (const part of parts) {
    const at = Buffer.concat(files).length
    const { local, entry } = zipped(part, at)
    files.push(local)
    table.push(entry)
  }
  const [body, directory] = [Buffer.concat(files), Buffer.concat(table)]
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(body.length, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([body, directory, end, Buffer.from(comment)])
}

function zipped({ name, content, unixMode = 0, flags = 0, claimedSize, stored }: ZipPart, at: number): { local: Buffer; entry: Buffer } {
  const bytes = Buffer.from(content)
  const packed = stored ? bytes : deflateRawSync(bytes)
  const facts = (head: Buffer, from: number) => {
    head.writeUInt16LE(flags, from)
    head.writeUInt16LE(stored ? 0 : 8, from + 2)
    head.writeUInt32LE(crc32(bytes), from + 8)
    head.writeUInt32LE(packed.length, from + 12)
    head.writeUInt32LE(claimedSize ?? bytes.length, from + 16)
    head.writeUInt16LE(Buffer.byteLength(name), from + 20)
    return head
  }
  const [local, entry] = [Buffer.alloc(30), Buffer.alloc(46)]
  local.writeUInt32LE(0x04034b50)
  entry.writeUInt32LE(0x02014b50)
  entry.writeUInt32LE((unixMode << 16) >>> 0, 38)
  entry.writeUInt32LE(at, 42)
  return {
    local: Buffer.concat([facts(local, 6), Buffer.from(name), packed]),
    entry: Buffer.concat([facts(entry, 8), Buffer.from(name)]),
  }
}

const letter = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'

export const docx = (more: ZipPart[] = [], { types = letter, ...how }: { gap?: string; comment?: string; types?: string } = {}): Buffer =>
  zip(
    [
      { name: '[Content_Types].xml', content: `<Types><Override PartName="/word/document.xml" ContentType="${types}"/></Types>` },
      { name: 'word/document.xml', content: '<w:document><w:t>Hello</w:t></w:document>' },
      ...more,
    ],
    how,
  )
