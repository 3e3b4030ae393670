import { constants, createInflate, inflateSync } from 'node:zlib'
import { objectsApart, opensLink } from './pdf-openings.ts'
import { type FileProblem, holdsOther, holdsScript } from './markers.ts'

/** Accepts a PDF with a version and a final `%%EOF`. Its objects may not run scripts, start programs or embed files. */
export async function inspectPdf(bytes: Buffer): Promise<Buffer | FileProblem> {
  if (!/^%PDF-[12]\.\d[\r\n \t%]/.test(bytes.toString('latin1', 0, 10))) return 'broken'
  const mark = bytes.lastIndexOf('%%EOF')
  if (mark < 0) return 'broken'
  const end = mark + 5
  const rest = bytes.subarray(end)
  if (holdsOther(rest) || holdsScript(bytes.subarray(0, 1024))) return 'active'
  if (!/^\s*$/.test(rest.toString('latin1').replaceAll('\0', ' '))) return 'broken'
  const outlines = await outlinesOf(bytes)
  if (typeof outlines === 'string') return outlines
  return outlines.whole.some(isActive) || opensLink(outlines.apart) ? 'active' : bytes
}

/** True for scripts, programs to start, other files to open, embedded files, and XFA forms, which have scripts of their own. */
const isActive = (outline: string): boolean =>
  /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|ImportData|SubmitForm|GoToE|GoToR)(?![A-Za-z\d])/.test(outline)

/**
 * Decodes the #-codes in names, in one pass over the bytes, because there may be millions of codes. Blanks and signs that would end a name stay
 * codes.
 */
function textOf(bytes: Buffer): string {
  let from = bytes.indexOf(hash)
  if (from < 0) return bytes.toString('latin1')
  const read = Buffer.from(bytes)
  let to = from
  while (from < bytes.length) {
    const [high, low] = [digitOf(bytes[from + 1]), digitOf(bytes[from + 2])]
    const code = high * 16 + low
    const isCode = bytes[from] === hash && high >= 0 && low >= 0 && !ending.has(code)
    read[to] = isCode ? code : (bytes[from] ?? 0)
    from += isCode ? 3 : 1
    to += 1
  }
  return read.toString('latin1', 0, to)
}

const hash = 0x23
const ending = new Set(Buffer.from('\0\t\n\f\r ()<>[]{}/%\\'))

/** Returns the value of a hexadecimal digit, else -1. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** The limit on all unpacked bytes of one file, intermediate ones too. Thousands of pages have less. */
const mostInflated = 30_000_000
/** The limit on nested compression, because some data unpacks to itself without end. */
const mostPacked = 2

/** The text between streams and that packed into streams: as it is, and with each packed object as if it stood outside. */
type Outlines = { whole: string[]; apart: string[] }

/** Returns a problem if the objects in streams cannot be read. */
async function outlinesOf(bytes: Buffer): Promise<Outlines | FileProblem> {
  const { whole, apart }: Outlines = { whole: [], apart: [] }
  const budget = { left: mostInflated }
  let [at, isUnreadable] = [0, false]
  for (;;) {
    const begin = startOfStream(bytes, at)
    const outline = textOf(bytes.subarray(at, begin < 0 ? bytes.length : begin))
    whole.push(outline)
    apart.push(outline)
    if (begin < 0) break
    const end = bytes.indexOf('endstream', begin)
    if (end < 0) return 'broken'
    if (holdsObjects(outline)) {
      const times = outline.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0
      if (times > mostPacked || isObscure(outline)) return 'active'
      const objects = await unpacked(bytes.subarray(begin, end), times, budget)
      if (objects === 'endless') return 'heavy'
      isUnreadable ||= objects === undefined
      if (objects) {
        whole.push(textOf(objects))
        apart.push(objectsApart(objects, outline, textOf))
      }
    }
    at = end + 'endstream'.length
  }
  // Encrypted objects cannot be inspected. Any others that cannot be read are hidden on purpose, for another program to read.
  return isUnreadable && !whole.some(outline => /\/Encrypt\b/.test(outline)) ? 'active' : { whole, apart }
}

/** True for a stream of objects. Some readers check its type, others only its two numbers. */
const holdsObjects = (outline: string): boolean =>
  /\/ObjStm\b/.test(outline) || (/\/N\s+\d/.test(outline) && /\/First\s+\d+\b(?!\s+\d+\s*R)/.test(outline))

/** True for a filter that ordinary programs do not use for objects, or that is defined elsewhere. Such filters hide objects. */
const isObscure = (outline: string): boolean =>
  /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL|CCITTFaxDecode|CCF|JBIG2Decode|DCTDecode|DCT|JPXDecode|Crypt|DecodeParms|DP)\b/.test(
    outline,
  ) || /\/Filter\b(?![\s[]*\/)/.test(outline)

/** Returns the index after `stream` and its line end, if it follows a dictionary, else -1. */
function startOfStream(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf('stream', from); at >= 0; at = bytes.indexOf('stream', at + 6)) {
    const next = bytes[at + 6]
    if (!/>>\s*$/.test(bytes.toString('latin1', Math.max(0, at - 20), at))) continue
    if (next === 0x0a) return at + 7
    if (next === 0x0d) return at + 7 + (bytes[at + 7] === 0x0a ? 1 : 0)
  }
  return -1
}

type Budget = { left: number }

/** Unpacks a stream the declared number of times. An unfinished stream gives what it has, as in PDF readers; an invalid one gives undefined. */
async function unpacked(stream: Buffer, times: number, budget: Budget): Promise<Buffer | 'endless' | undefined> {
  let content = stream
  for (let time = 0; time < times; time++) {
    try {
      content = inflateSync(content, { maxOutputLength: Math.max(1, budget.left), finishFlush: constants.Z_SYNC_FLUSH })
      budget.left -= content.length
    } catch (error) {
      // Safe: zlib throws errors with a code.
      if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return 'endless'
      budget.left -= await lengthUntilError(content)
      return budget.left < 0 ? 'endless' : undefined
    }
  }
  return content
}

/** Returns the bytes that could be unpacked before the error, which count as work, too. */
function lengthUntilError(packed: Buffer): Promise<number> {
  return new Promise(resolve => {
    let length = 0
    const done = () => resolve(length)
    createInflate()
      .on('data', (part: Buffer) => (length += part.length))
      .once('error', done)
      .once('end', done)
      .end(packed)
  })
}
