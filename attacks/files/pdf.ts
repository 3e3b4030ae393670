import { constants, deflateRawSync, deflateSync } from 'node:zlib'

// Hostile PDFs, built from scratch and independent of our inspection.

const lineOf = (text: string) => Buffer.from(`${text}\n`, 'latin1')

/** Returns a document of these objects by number, with their places. The first is the catalogue. */
export function pdfOf(objects: Record<number, Buffer | string>): Buffer {
  const parts = [lineOf('%PDF-1.7')]
  let at = parts[0]?.length ?? 0
  const offsets = new Map<number, number>()
  for (const [number, body] of Object.entries(objects)) {
    offsets.set(Number(number), at)
    const object = Buffer.concat([lineOf(`${number} 0 obj`), typeof body === 'string' ? lineOf(body) : body, lineOf(''), lineOf('endobj')])
    parts.push(object)
    at += object.length
  }
  const size = Math.max(...offsets.keys()) + 1
  const rows = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number)
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const end = `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`
  return Buffer.concat([...parts, lineOf(end)])
}

/** Returns a document of these object bodies, the first of which is the catalogue. */
const pdf = (bodies: Buffer[]): Buffer => pdfOf(Object.fromEntries(bodies.map((body, index) => [index + 1, body])))

const catalogue = lineOf('<< /Type /Catalog /Pages 2 0 R >>')
const pages = lineOf('<< /Type /Pages /Kids [] /Count 0 >>')

export const streamOf = (entries: string, data: Buffer) =>
  Buffer.concat([lineOf(`<< ${entries} /Length ${data.length} >>`), lineOf('stream'), data, lineOf('\nendstream')])

/** Returns a deflated stream of zeros, one kilobyte per megabyte, valid up to its missing end. */
function endlessZeros(megabytes: number): Buffer {
  const flush = { finishFlush: constants.Z_SYNC_FLUSH }
  const head = deflateSync(Buffer.alloc(1024), flush)
  const block = deflateRawSync(Buffer.alloc(1024 * 1024), flush)
  return Buffer.concat([head, ...Array.from({ length: megabytes }, () => block)])
}

const objects = '/Type /ObjStm /N 1 /First 4'
const twice = '/Filter [/FlateDecode /FlateDecode]'

/** Returns 300 object streams deflated twice: 29 MB when inflated once, a few characters when twice. */
export function doubleDeflated(streams = 300): Buffer {
  const inner = Buffer.concat([deflateSync(Buffer.from('1 0 <<>>')), Buffer.alloc(29_000_000)])
  const body = streamOf(`${objects} ${twice}`, deflateSync(inner))
  return pdf([catalogue, pages, ...Array.from({ length: streams }, () => body)])
}

/** Returns the same, broken after 29 MB. An unreadable stream must cost no more than a readable one. */
export function brokenInside(streams = 300): Buffer {
  const whole = deflateSync(Buffer.alloc(29_000_000))
  const body = streamOf(`${objects} /Filter /FlateDecode`, Buffer.concat([whole.subarray(0, -4), Buffer.from('XXXX')]))
  return pdf([catalogue, pages, ...Array.from({ length: streams }, () => body)])
}

/** Returns 300 streams that inflate without an end, twice. */
export function endless(streams = 300): Buffer {
  const body = streamOf(`${objects} ${twice}`, deflateSync(endlessZeros(20_000)))
  return pdf([catalogue, pages, ...Array.from({ length: streams }, () => body)])
}

/** Returns 200 small streams that inflate to 25 MB each, gigabytes in total. */
export function manyDeflated(streams = 200, each = 25_000_000): Buffer {
  const data = deflateSync(Buffer.alloc(each, 0x20))
  const body = streamOf('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', data)
  return pdf([catalogue, pages, ...Array.from({ length: streams }, () => body)])
}

/** Returns one name of ten million `#4a` escapes, deflated to 29 kB. */
export function escapedName(times = 9_999_990): Buffer {
  const data = deflateSync(Buffer.from(`1 0 /${'#4a'.repeat(times)}`, 'latin1'))
  return pdf([catalogue, pages, streamOf('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', data)])
}

/** Returns many short escaped names, not deflated. */
export const escapedNames = (): Buffer => pdf([catalogue, pages, lineOf(`<<${'/#4a#61#76 1 '.repeat(650_000)}>>`)])

/** Returns a stream deflated fifty times. */
export function nestedFilters(depth = 50): Buffer {
  let data: Buffer = Buffer.alloc(4_000_000)
  for (let stage = 0; stage < depth; stage++) data = deflateSync(data)
  const filters = Array.from({ length: depth }, () => '/FlateDecode').join(' ')
  return pdf([catalogue, pages, streamOf(`/Type /ObjStm /N 1 /First 4 /Filter [${filters}]`, data)])
}

/** Returns a hundred thousand filters on an empty stream. */
export const endlessFilters = (): Buffer =>
  pdf([
    catalogue,
    pages,
    streamOf(`/Type /ObjStm /N 1 /First 4 /Filter [${'/FlateDecode '.repeat(100_000)}]`, deflateSync(Buffer.alloc(1000))),
  ])

/** Returns object streams that extend each other in a ring. */
export const chainOfStreams = (length = 20_000): Buffer =>
  pdf([
    catalogue,
    pages,
    ...Array.from({ length }, (_, index) =>
      streamOf(
        `/Type /ObjStm /N 1 /First 4 /Extends ${3 + ((index + 1) % length)} 0 R /Filter /FlateDecode`,
        deflateSync(Buffer.from('1 0 <<>>')),
      ),
    ),
  ])

/** Returns a cross-reference table that declares 2,147,483,647 rows and has 400,000. */
export function hugeXref(): Buffer {
  const rows = '0000000009 00000 n \n'.repeat(400_000)
  return Buffer.from(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 2147483647\n${rows}trailer\n<< /Size 2147483647 /Root 1 0 R /Prev 45 >>\nstartxref\n45\n%%EOF\n`,
    'latin1',
  )
}

const asText = (middle: string) => Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n${middle}\n%%EOF\n`, 'latin1')
const nine = 9_000_000

/** As many unclosed openings as fit: the search for an end must not restart at each. */
export const neverEnding: Record<string, () => Buffer> = {
  'streams without an end': () => asText('2 0 obj<</Filter/FlateDecode>>stream\n'.repeat(nine / 37)),
  'streams with one end': () => asText(`${'<</Filter/FlateDecode>>stream\n'.repeat(nine / 31)}endstream`),
  'streams of objects without an end': () => asText('2 0 obj<</Type/ObjStm/Filter/FlateDecode>>stream\n'.repeat(nine / 50)),
  'objects without an end': () => asText('2 0 obj '.repeat(nine / 8)),
  'dictionaries without an end': () => asText('<<'.repeat(nine / 2)),
  'dictionaries that end': () => asText(`${'<<'.repeat(nine / 4)}${'>>'.repeat(nine / 4)}`),
  'lists in lists': () => asText(`${'['.repeat(nine / 2)}${']'.repeat(nine / 2)}`),
  'strings in strings': () => asText('('.repeat(nine)),
  'strings of backslashes': () => asText(`(${'\\'.repeat(nine)}`),
  'hexadecimal strings': () => asText(`<${'4a'.repeat(nine / 2)}`),
  'unclosed hexadecimal strings': () => asText('<4 '.repeat(nine / 3)),
  comments: () => asText('%\n'.repeat(nine / 2)),
  'one comment': () => asText(`%${'%'.repeat(nine)}`),
  slashes: () => asText('/'.repeat(nine)),
  'escape characters': () => asText(`/${'#'.repeat(nine)}`),
  blanks: () => asText(`/Type${' '.repeat(nine)}`),
  'line breaks': () => asText('\r'.repeat(nine)),
  'blanks before streams': () => asText(`<<${' '.repeat(nine / 2)}>>${' '.repeat(nine / 2)}stream`),
  'filters without a stream': () => asText('/Filter '.repeat(nine / 8)),
  'types without a stream': () => asText('/Type /ObjStm '.repeat(nine / 14)),
  'ends without a stream': () => asText('endstream '.repeat(nine / 10)),
  'empty streams': () => asText('<</Type/ObjStm/Filter/FlateDecode>>stream\n\nendstream\n'.repeat(nine / 54)),
  openings: () => asText('/OpenAction '.repeat(nine / 12)),
  'openings of objects': () => asText('1 0 obj/AA 1 0 R endobj '.repeat(nine / 24)),
  'openings of many objects': () =>
    asText(Array.from({ length: nine / 36 }, (_, index) => `${index} 0 obj/AA<</O ${index + 1} 0 R>>endobj`).join('\n')),
  'ends of objects': () => asText('endobj'.repeat(nine / 6)),
  digits: () => asText('1'.repeat(nine)),
}
