import { constants, inflateSync } from 'node:zlib'
import type { FileFault } from './judge.ts'
import { holdsOther, holdsScript } from './signs.ts'

/** A PDF's own outline: its version, its last `%%EOF`, and in its objects nothing that runs, starts or carries anything. */
export function judgePdf(bytes: Buffer): Buffer | FileFault {
  if (!/^%PDF-[12]\.\d[\r\n \t%]/.test(bytes.toString('latin1', 0, 10))) return 'broken'
  const mark = bytes.lastIndexOf('%%EOF')
  if (mark < 0) return 'broken'
  const end = mark + 5
  const rest = bytes.subarray(end)
  if (holdsOther(rest) || holdsScript(bytes.subarray(0, 1024))) return 'active'
  if (!/^\s*$/.test(rest.toString('latin1').replaceAll('\0', ' '))) return 'broken'
  const outlines = outlinesOf(bytes)
  if (typeof outlines === 'string') return outlines
  return outlines.some(isActive) ? 'active' : bytes
}

/** Scripts, programs to start, files within files, and forms of another language with scripts of their own. */
const isActive = (outline: string): boolean =>
  /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|ImportData|SubmitForm|GoToE)(?![A-Za-z\d])/.test(outline)

/** A name may be written with #-codes. */
const withoutCodes = (text: string): string =>
  text.replaceAll(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const mostInflated = 30_000_000
/** A packed text packs once more at most; there are some that are themselves again when they are unpacked. */
const mostPacked = 2

/** What stands between the streams, and the objects that are packed into streams; a fault where those cannot be read, or a stream has no end. */
function outlinesOf(bytes: Buffer): string[] | FileFault {
  const outlines: string[] = []
  let [at, inflated, sealed] = [0, 0, false]
  for (;;) {
    const begin = startOfStream(bytes, at)
    const outline = withoutCodes(bytes.toString('latin1', at, begin < 0 ? bytes.length : begin))
    outlines.push(outline)
    if (begin < 0) break
    const end = bytes.indexOf('endstream', begin)
    if (end < 0) return 'broken'
    if (holdsObjects(outline)) {
      const times = outline.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0
      if (times > mostPacked || isObscure(outline)) return 'active'
      const objects = unpacked(bytes.subarray(begin, end), times, mostInflated - inflated)
      if (objects === 'endless') return 'broken'
      inflated += objects?.length ?? 0
      sealed ||= objects === undefined
      if (objects) outlines.push(withoutCodes(objects.toString('latin1')))
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

/** As often packed as it says. An unfinished stream gives what it has, as readers of PDF do; what is none gives nothing. */
function unpacked(stream: Buffer, times: number, most: number): Buffer | 'endless' | undefined {
  try {
    let content = stream
    for (let time = 0; time < times; time++)
      content = inflateSync(content, { maxOutputLength: Math.max(1, most), finishFlush: constants.Z_SYNC_FLUSH })
    return content
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'endless' : undefined
  }
}
