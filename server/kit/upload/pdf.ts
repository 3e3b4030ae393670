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
  if (!outlines) return 'broken'
  return outlines.some(isActive) ? 'active' : bytes
}

/** Scripts, programs to start, files within files, and forms of another language with scripts of their own. A name may be written with #-codes. */
function isActive(outline: string): boolean {
  const plain = outline.replaceAll(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|ImportData|SubmitForm|GoToE)(?![A-Za-z\d])/.test(plain)
}

const mostInflated = 30_000_000

/** What stands between the streams, and the objects that are packed into streams; undefined when a stream has no end, or unpacks without end. */
function outlinesOf(bytes: Buffer): string[] | undefined {
  const outlines: string[] = []
  let [at, inflated] = [0, 0]
  for (;;) {
    const begin = startOfStream(bytes, at)
    const outline = bytes.toString('latin1', at, begin < 0 ? bytes.length : begin)
    outlines.push(outline)
    if (begin < 0) return outlines
    const end = bytes.indexOf('endstream', begin)
    if (end < 0) return undefined
    const dictionary = outline.slice(outline.lastIndexOf(' obj') + 4)
    if (/\/ObjStm\b/.test(dictionary) && /\/FlateDecode\b|\/Fl\b/.test(dictionary)) {
      const objects = unpacked(bytes.subarray(begin, end), mostInflated - inflated)
      if (objects === undefined) return undefined
      inflated += objects.length
      outlines.push(objects.toString('latin1'))
    }
    at = end + 'endstream'.length
  }
}

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

/** An unfinished stream gives what it has, as readers of PDF do; one that is encrypted or no stream at all gives nothing. */
function unpacked(stream: Buffer, most: number): Buffer | undefined {
  try {
    return inflateSync(stream, { maxOutputLength: Math.max(1, most), finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : Buffer.alloc(0)
  }
}
