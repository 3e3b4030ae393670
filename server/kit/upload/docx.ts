import type { FileFault } from './inspect-file.ts'
import { Fields } from './fields.ts'
import { type Attributes, local, marksOf, type Opened, saidIn } from './markup.ts'
import { readZip, unzip } from './zip.ts'

/** All texts of a document together: a thousand pages have less, and a few kilobytes unpack to more than anybody would wait for. */
const mostMarkup = 20_000_000
/** Of a type or a part; what is longer is none. */
const longestName = 1000

/** A document of Word without macros, controls, packed files or parts that are fetched from elsewhere. */
export async function judgeDocx(bytes: Buffer): Promise<Buffer | FileFault> {
  const entries = readZip(bytes)
  if (!entries) return 'broken'
  const names = new Set(entries.map(({ name }) => name))
  if (!names.has('[Content_Types].xml') || !names.has('word/document.xml')) return 'kind'
  if (entries.some(({ name }) => isActive(name))) return 'active'
  let markup = 0
  for (const entry of entries) {
    // One after the other: together they might fill the memory.
    const content = await unzip(bytes, entry)
    if (!content) return 'broken'
    if (!isMarkup(entry.name, content)) continue
    markup += content.length
    if (markup > mostMarkup) return 'broken'
    const fault = judgePart(entry.name, content)
    if (fault) return fault
  }
  return bytes
}

/** Macros, ActiveX, OLE objects, and anything that a system would run or unpack. */
const isActive = (name: string): boolean =>
  /vba(?:project|data)|activex|^word\/embeddings\/|\.(?:bin|exe|dll|com|scr|bat|cmd|ps1|js|jse|vbs|vbe|wsf|hta|jar|msi|lnk|html?|svg|docm|dotm|zip)$/i.test(
    name,
  )

/** What a part is, its type says and not its name; so whatever begins as a text of XML does is read as one. */
const isMarkup = (name: string, content: Buffer): boolean => /\.(?:xml|rels)$/i.test(name) || firstSign(content) === 0x3c

/** The first byte that is not blank; there may be millions before it. */
function firstSign(content: Buffer): number | undefined {
  let at = 0
  while (isBlank[content[at] ?? -1]) at += 1
  return content[at]
}

/** White space, and the marks by which a text tells how it is written. */
const isBlank = new Uint8Array(256)
for (const byte of [0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff]) isBlank[byte] = 1

function judgePart(name: string, content: Buffer): FileFault | undefined {
  const words = wordsOf(content)
  if (words === undefined) return 'broken'
  const [isTypes, fields] = [name === '[Content_Types].xml', new Fields()]
  for (const mark of marksOf(words)) {
    if (mark.kind === 'fault') return 'broken'
    // A declaration of entities makes a text endless, or reads a file.
    if (mark.kind === 'doctype') return 'active'
    fields.read(mark)
    if (mark.kind === 'open') {
      const fault = isTypes ? judgeTypes(mark.attributes) : fetches(mark) ? 'active' : undefined
      if (fault) return fault
    }
  }
  return fields.startProgram() ? 'active' : undefined
}

/** Programs that write little leave the types out that they do not need; another kind of document they would name. */
function judgeTypes(attributes: Attributes): FileFault | undefined {
  for (const written of attributes.values()) {
    if (written.length > longestName) return 'broken'
    const said = saidIn(written)
    if (/macroEnabled|vbaProject|activeX|oleObject/i.test(said)) return 'active'
    if (/spreadsheetml|presentationml/i.test(said) && /\.main\+xml/i.test(said)) return 'kind'
  }
  return undefined
}

/** A link is followed by who clicks it; a template or picture from elsewhere is fetched by the program itself. */
function fetches({ name, attributes }: Opened): boolean {
  if (!/^relationship$/i.test(name)) return false
  const type = attributes.get('Type') ?? ''
  if (type.length <= longestName && /\/hyperlink$/i.test(saidIn(type))) return false
  return [...attributes].some(
    ([key, written]) =>
      /^targetmode$/i.test(local(key)) && (written.length > longestName || saidIn(written).trim().toLowerCase() === 'external'),
  )
}

/** UTF-8 or UTF-16, as every program writes that keeps to the format (ECMA-376, part 2); nothing for a text that says it is written otherwise. */
function wordsOf(content: Buffer): string | undefined {
  const [first = 0, second = 0] = content
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8'
  const words = new TextDecoder(encoding).decode(content).replaceAll('\0', '')
  return /^\s*<\?xml\s[^>]{0,100}encoding\s*=\s*["'](?!utf-?(?:8|16)["'])/i.test(words) ? undefined : words
}
