import { constants, createInflate, inflateSync } from 'node:zlib'
import { type FileProblem, holdsOther, holdsScript } from './markers.ts'

/** A PDF's own outline: its version, its last `%%EOF`, and in its objects nothing that runs, starts or carries anything. */
export async function judgePdf(bytes: Buffer): Promise<Buffer | FileProblem> {
  if (!/^%PDF-[12]\.\d[\r\n \t%]/.test(bytes.toString('latin1', 0, 10))) return 'broken'
  const mark = bytes.lastIndexOf('%%EOF')
  if (mark < 0) return 'broken'
  const end = mark + 5
  const rest = bytes.subarray(end)
  if (holdsOther(rest) || holdsScript(bytes.subarray(0, 1024))) return 'active'
  if (!/^\s*$/.test(rest.toString('latin1').replaceAll('\0', ' '))) return 'broken'
  const outlines = await outlinesOf(bytes)
  if (typeof outlines === 'string') return outlines
  return outlines.some(isActive) ? 'active' : bytes
}

/** Scripts, programs to start, files within files, and forms of another language with scripts of their own. */
const isActive = (outline: string): boolean =>
  /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|ImportData|SubmitForm|GoToE)(?![A-Za-z\d])/.test(outline)

/** As a text, of which a name may be written with #-codes. They are read in one go over the bytes: there may be millions of them. */
function textOf(bytes: Buffer): string {
  let from = bytes.indexOf(hash)
  if (from < 0) return bytes.toString('latin1')
  const read = Buffer.from(bytes)
  let to = from
  while (from < bytes.length) {
    const [high, low] = [digitOf(bytes[from + 1]), digitOf(bytes[from + 2])]
    const isCode = bytes[from] === hash && high >= 0 && low >= 0
    read[to] = isCode ? high * 16 + low : (bytes[from] ?? 0)
    from += isCode ? 3 : 1
    to += 1
  }
  return read.toString('latin1', 0, to)
}

const hash = 0x23

/** Of a hexadecimal digit its value, else -1. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** All that is unpacked in one file, in between and at the end: thousands of pages have less. */
const mostInflated = 30_000_000
/** A packed text packs once more at most; there are some that are themselves again when they are unpacked. */
const mostPacked = 2

/** What stands between the streams, and the objects that are packed into streams; a fault where those cannot be read, or a stream has no end. */
async function outlinesOf(bytes: Buffer): Promise<string[] | FileProblem> {
  const outlines: string[] = []
  const budget = { left: mostInflated }
  let [at, sealed] = [0, false]
  for (;;) {
    const begin = startOfStream(bytes, at)
    const outline = textOf(bytes.subarray(at, begin < 0 ? bytes.length : begin))
    outlines.push(outline)
    if (begin < 0) break
    const end = bytes.indexOf('endstream', begin)
    if (end < 0) return 'broken'
    if (holdsObjects(outline)) {
      const times = outline.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0
      if (times > mostPacked || isObscure(outline)) return 'active'
      const objects = await unpacked(bytes.subarray(begin, end), times, budget)
      if (objects === 'endless') return 'heavy'
      sealed ||= objects === undefined
      if (objects) outlines.push(textOf(objects))
    }
    at = end + 'endstream'.length
  }
  // What is encrypted nobody can look into; anything else that cannot be read is made to be read by somebody else.
  return sealed && !outlines.some(outline => /\/Encrypt\b/.test(outline)) ? 'active' : outlines
}

/** Some readers ask for the type, others for the two numbers alone. */
const holdsObjects = (outline: string): boolean =>
  /\/ObjStm\b/.test(outline) || (/\/N\s+\d/.test(outline) && /\/First\s+\d+\b(?!\s+\d+\s*R)/.test(outline))

/** Every program that packs objects packs them plainly; any other way, or one that is told elsewhere, is there to hide them. */
const isObscure = (outline: string): boolean =>
  /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL|CCITTFaxDecode|CCF|JBIG2Decode|DCTDecode|DCT|JPXDecode|Crypt|DecodeParms|DP)\b/.test(
    outline,
  ) || /\/Filter\b(?![\s[]*\/)/.test(outline)

/** `stream` behind its dictionary, and the end of its line. */
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

/** As often packed as it says. An unfinished stream gives what it has, as readers of PDF do; what is none gives nothing. */
async function unpacked(stream: Buffer, times: number, budget: Budget): Promise<Buffer | 'endless' | undefined> {
  let content = stream
  for (let time = 0; time < times; time++) {
    try {
      content = inflateSync(content, { maxOutputLength: Math.max(1, budget.left), finishFlush: constants.Z_SYNC_FLUSH })
      budget.left -= content.length
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return 'endless'
      budget.left -= await lengthUntilFault(content)
      return budget.left < 0 ? 'endless' : undefined
    }
  }
  return content
}

/** How much of it could be unpacked before the fault: that was work, too. */
function lengthUntilFault(packed: Buffer): Promise<number> {
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
