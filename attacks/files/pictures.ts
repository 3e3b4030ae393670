import { crc32, deflateSync } from 'node:zlib'

const nine = 9_000_000

function chunk(name: string, data: Buffer): Buffer {
  const part = Buffer.alloc(12 + data.length)
  part.writeUInt32BE(data.length, 0)
  part.write(name, 4, 'latin1')
  data.copy(part, 8)
  part.writeUInt32BE(crc32(part.subarray(4, 8 + data.length)), 8 + data.length)
  return part
}

function header(width: number, height: number, colour = 2): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data[8] = 8
  data[9] = colour
  return chunk('IHDR', data)
}

const png = (...chunks: Buffer[]) =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), ...chunks, chunk('IEND', Buffer.alloc(0))])
const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 })
const pixel = chunk('IDAT', zeros(4))

export const pngs: Record<string, () => Buffer> = {
  'declared as 2,147,483,647 by 2,147,483,647 pixels': () => png(header(0x7fffffff, 0x7fffffff), pixel),
  'of 12,000 by 12,000 pixels, all black': () => png(header(12_000, 12_000), chunk('IDAT', zeros(12_000 * 36_001))),
  'of one pixel with 200 MB of data': () => png(header(1, 1), chunk('IDAT', zeros(200_000_000))),
  'of 750,000 empty chunks': () => png(header(1, 1), Buffer.alloc(nine, chunk('IDAT', Buffer.alloc(0))), pixel),
  'of 690,000 chunks of text': () => png(header(1, 1), Buffer.alloc(nine, chunk('tEXt', Buffer.from('a'))), pixel),
  'with a colour profile of 300 MB': () =>
    png(header(1, 1), chunk('iCCP', Buffer.concat([Buffer.from('a\0\0', 'latin1'), zeros(300_000_000)])), pixel),
  'with texts of 300 MB': () =>
    png(header(1, 1), chunk('zTXt', Buffer.concat([Buffer.from('a\0\0', 'latin1'), zeros(300_000_000)])), pixel),
}

const jpeg = (...parts: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])])
const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 4, 0, 4, 0, 1, 1, 0x11, 0])
const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0])

export const jpegs: Record<string, () => Buffer> = {
  'of two million segments': () => jpeg(Buffer.alloc(nine, Buffer.from([0xff, 0xe1, 0, 2])), frame, scan),
  'of nine million padding bytes': () => jpeg(Buffer.alloc(nine, 0xff), frame, scan),
  'of a million scans': () => jpeg(frame, Buffer.alloc(nine, scan)),
  'of stuffed bytes': () => jpeg(frame, scan, Buffer.alloc(nine, Buffer.from([0xff, 0]))),
  'of restarts': () => jpeg(frame, scan, Buffer.alloc(nine, Buffer.from([0xff, 0xd0]))),
  'of a million frames': () => jpeg(Buffer.alloc(nine, frame), scan),
  'of pictures in pictures': () => jpeg(Buffer.alloc(nine, Buffer.from([0xff, 0xd8]))),
}

function box(name: string, data: Buffer, size = data.length + 8): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(size, 0)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, data])
}
const kind = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))

function nested(name: string, depth: number): Buffer {
  const data = Buffer.alloc(depth * 8)
  for (let level = 0; level < depth; level++) {
    data.writeUInt32BE((depth - level) * 8, level * 8)
    data.write(name, level * 8 + 4, 'latin1')
  }
  return data
}

export const heics: Record<string, () => Buffer> = {
  'of boxes in boxes': () => Buffer.concat([kind, nested('meta', 1_100_000)]),
  'of containers in containers': () => Buffer.concat([kind, nested('moov', 1_100_000)]),
  'of a million empty boxes': () => Buffer.concat([kind, Buffer.alloc(nine, box('free', Buffer.alloc(0)))]),
  'of boxes of size zero': () => Buffer.concat([kind, Buffer.alloc(nine)]),
  'of a box larger than the file': () =>
    Buffer.concat([kind, Buffer.from([0, 0, 0, 1, 0x6d, 0x64, 0x61, 0x74, 255, 255, 255, 255, 255, 255, 255, 255])]),
  'of a million brands': () => box('ftyp', Buffer.alloc(nine, Buffer.from('heic'))),
}

const svg = (text: string, before = '') => Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${text}</svg>`)
const half = 480_000

/** Logos of at most half a megabyte. */
export const svgs: Record<string, () => Buffer> = {
  'of groups in groups': () => svg(`${'<g>'.repeat(half / 7)}${'</g>'.repeat(half / 7)}`),
  'of groups without an end': () => svg('<g>'.repeat(half / 3)),
  'of unfinished tags': () => svg('<'.repeat(half)),
  'of comments without an end': () => svg('<!--'.repeat(half / 4)),
  'of entities in entities': () =>
    svg(
      '<text>&e9;</text>',
      `<!DOCTYPE svg [<!ENTITY e0 "ha">${Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')}]>`,
    ),
  'of uses of uses': () =>
    svg(Array.from({ length: 400 }, (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`).join('')),
  'of one long path': () => svg(`<path d="M0 0${'l1 1'.repeat(half / 4)}"/>`),
  'of attributes': () => svg(`<g ${Array.from({ length: 40_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`),
  'of one attribute, many times': () => svg(`<g ${'a="1" '.repeat(half / 6)}/>`),
  'of a style without an end': () => svg(`<style>${'a{b:url('.repeat(half / 8)}</style>`),
  'of comments in a style': () => svg(`<style>${'/*'.repeat(half / 2)}</style>`),
  'of URLs in a style': () => svg(`<g style="${'fill:url( '.repeat(half / 10)}"/>`),
  'of blanks in a style': () => svg(`<g style="fill:url(${' '.repeat(half)}x"/>`),
  'of blanks in a tag': () => svg(`<g${' '.repeat(half)}`),
  'of escapes': () => svg(`<text>${'&#x41;'.repeat(half / 6)}</text>`),
  'of a picture in a picture': () =>
    svg(`<image href="data:image/svg+xml;base64,${Buffer.from(svg('<g/>'.repeat(80_000))).toString('base64')}"/>`),
  'of a box next to nothing': () =>
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e-30 1e-30"><rect width="1e30" height="1e30"/></svg>'),
  'of a size next to nothing': () =>
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1e-38" height="1e-38"><rect width="9" height="9"/></svg>'),
  'of a hundred thousand letters': () => svg(`<text>${'a'.repeat(100_000)}</text>`),
  'of a shape of scales without an end': () => svg(`<path d="M0 0${'scale('.repeat(half / 6)}"/>`),
  'of scales in scales': () => svg(`${'<g transform="scale(.001)">'.repeat(50)}<path d="M0 0h9v9"/>${'</g>'.repeat(50)}`),
  'of scales that grow': () => svg(`${'<g transform="scale(900000)">'.repeat(50)}<path d="M0 0h9v9"/>${'</g>'.repeat(50)}`),
  'of letters of no size': () => svg('<text font-size="1e-30" textLength="1e6">a</text>'),
  'of dashes without an end': () => svg('<path stroke="red" stroke-dasharray=".000002" d="M0 0H1000000"/>'),
  'of a pattern without an end': () =>
    svg('<defs><pattern id="p" width=".001" height=".001"><path d="M0 0h1"/></pattern></defs><path fill="url(#p)" d="M0 0H1e6V1e6z"/>'),
  'of quotes': () => svg('<g a="'.repeat(half / 6)),
}
