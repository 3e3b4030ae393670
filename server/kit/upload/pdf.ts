import { createInflate, inflateSync } from 'node:zlib'
import { type FileProblem, holdsOther, holdsScript } from './markers.ts'
import { opensLink, placesIn } from './pdf-openings.ts'
import { headingsIn, isHeadingSplit, type PdfObject, startOfStream, valueFrom, withShortBlanks } from './pdf-syntax.ts'

/** Accepts a PDF with a version and a final `%%EOF`. Its objects may not run scripts, start programs or embed files. */
export async function inspectPdf(bytes: Buffer): Promise<Buffer | FileProblem> {
  if (!/^%PDF-[12]\.\d[\r\n \t%]/.test(bytes.toString('latin1', 0, 10))) return 'broken'
  const mark = bytes.lastIndexOf('%%EOF')
  if (mark < 0) return 'broken'
  const end = mark + 5
  const rest = bytes.subarray(end)
  if (holdsOther(rest) || holdsScript(bytes.subarray(0, 1024))) return 'active'
  if (!/^\s*$/.test(rest.toString('latin1').replaceAll('\0', ' '))) return 'broken'
  const text = bytes.toString('latin1')
  const objects = await objectsOf(bytes, text)
  if (typeof objects === 'string') return objects
  return objects.whole.some(isActive) || opensLink(objects.bare, placesIn(text, objects.bare)) ? 'active' : bytes
}

/** True for scripts, programs to start, other files to open, embedded files, and XFA forms, which have scripts of their own. */
const isActive = (text: string): boolean =>
  /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|ImportData|SubmitForm|GoToE|GoToR)(?![A-Za-z\d])/.test(text)

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

/** The limit on the letters that are read. A usual file has each of its objects once. */
const mostRead = 60_000_000

/** The most signs of an object's number. Usual programs write seven at most. */
const longestNumber = 12

/** A file's objects, those in streams too, with and without their strings and comments. */
type Objects = { whole: string[]; bare: PdfObject[] }

/** Returns a problem if the objects in streams cannot be read. */
async function objectsOf(bytes: Buffer, text: string): Promise<Objects | FileProblem> {
  if (isHeadingSplit(text)) return 'active'
  const { whole, bare }: Objects = { whole: [], bare: [] }
  const budget = { left: mostInflated, read: mostRead }
  const lastEnd = text.lastIndexOf('endstream')
  let [hasPacked, isUnreadable] = [false, false]
  for (const heading of headingsIn(text)) {
    const { written, at } = heading
    if (written.length > longestNumber) return 'active'
    const value = valueFrom(text, at)
    budget.read -= value.end - at
    if (budget.read < 0) return 'heavy'
    if (!value.bare) continue
    const dictionary = withShortBlanks(decoded(value.bare))
    whole.push(textOf(bytes.subarray(at, value.end)))
    bare.push({ number: Number(written || NaN), bare: dictionary, heading })
    const begin = startOfStream(text, value.end)
    if (begin === undefined) continue
    if (begin > lastEnd) return 'broken'
    if (!holdsObjects(dictionary)) continue
    hasPacked = true
    const times = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0
    const stream = bytes.subarray(begin, bytes.indexOf('endstream', begin))
    if (times > mostPacked || isObscure(dictionary) || (times === 0 && endsLater(dictionary, stream.length))) return 'active'
    budget.read -= stream.length
    if (budget.read < 0) return 'heavy'
    const content = await unpacked(stream, times, budget)
    if (content === 'endless') return 'heavy'
    const packed = content && packedObjects(content.toString('latin1'), dictionary, budget)
    if (packed === 'endless') return 'heavy'
    isUnreadable ||= packed === undefined
    if (content) whole.push(textOf(content))
    if (packed) bare.push(...packed)
  }
  // Encrypted objects cannot be inspected, even if they can be read. Others that cannot be read are hidden on purpose, for another program to read.
  return isUnreadable || (hasPacked && bare.some(object => /\/Encrypt\b/.test(object.bare))) ? 'active' : { whole, bare }
}

const decoded = (text: string): string => (text.includes('#') ? textOf(Buffer.from(text, 'latin1')) : text)

/** True for a stream of objects. Some readers check its type, others only its two numbers. */
const holdsObjects = (dictionary: string): boolean =>
  /\/ObjStm\b/.test(dictionary) || (/\/N(?![A-Za-z\d])/.test(dictionary) && /\/First(?![A-Za-z\d])/.test(dictionary))

/** True for a filter that ordinary programs do not use for objects, or that is defined elsewhere. Such filters hide objects. */
const isObscure = (dictionary: string): boolean =>
  /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL|CCITTFaxDecode|CCF|JBIG2Decode|DCTDecode|DCT|JPXDecode|Crypt|DecodeParms|DP)\b/.test(
    dictionary,
  ) || /\/Filter\b(?![\s[]*\/)/.test(dictionary)

/** Returns whether a reader that trusts the length may read on after the first `endstream`. */
const endsLater = (dictionary: string, length: number): boolean =>
  /\/Length(?![A-Za-z\d])/.test(dictionary) && !((numberAt(dictionary, 'Length') ?? Infinity) <= length)

/** Returns the number of a key, if it stands there once, and not in another object. */
function numberAt(dictionary: string, key: string): number | undefined {
  const [found, other] = dictionary.matchAll(new RegExp(String.raw`/${key}(?![A-Za-z\d])(?:[ \n](\d{1,10})(?![-+.\d]|[ \n]?\d))?`, 'g'))
  return found?.[1] === undefined || other ? undefined : Number(found[1])
}

/** Reads each object of an unpacked stream from its place, or returns undefined if the places cannot be read for sure. */
function packedObjects(text: string, dictionary: string, budget: Budget): PdfObject[] | 'endless' | undefined {
  const [count, first] = [numberAt(dictionary, 'N'), numberAt(dictionary, 'First')]
  if (count === undefined || first === undefined) return undefined
  const index = text.slice(0, first)
  const numbers = index.match(/\d+/g) ?? []
  if (/[^\d\s\0]/.test(index) || numbers.length < 2 * count) return undefined
  const objects: PdfObject[] = []
  for (let at = 0; at < numbers.length; at += 2) {
    const from = first + Number(numbers[at + 1] ?? 0)
    const { bare, end } = valueFrom(text, from)
    budget.read -= Math.max(0, end - from)
    if (budget.read < 0) return 'endless'
    objects.push({ number: Number(numbers[at]), bare: withShortBlanks(decoded(bare)) })
  }
  return objects
}

/** The bytes that may still be unpacked, and the letters that may still be read. */
type Budget = { left: number; read: number }

/** Unpacks a stream the declared number of times. One that is invalid or has no end gives undefined, as readers may find its end elsewhere. */
async function unpacked(stream: Buffer, times: number, budget: Budget): Promise<Buffer | 'endless' | undefined> {
  let content = stream
  for (let time = 0; time < times; time++) {
    try {
      content = inflateSync(content, { maxOutputLength: Math.max(1, budget.left) })
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
