import type { FileProblem } from './markers.ts'
import { type Attributes, decodeEntities, local, type StartTag, type Token, tokensOf } from '#common/kit/xml/xml.ts'
import { readZip, unzip } from './zip.ts'

/** The limit on XML in a document, in bytes. A thousand pages have less, but a few kilobytes may unpack to gigabytes. */
const mostMarkup = 20_000_000
/** The limit on a type or a part's name, in characters. */
const longestName = 1000

/** Accepts a Word document without macros, controls, packed files or parts fetched from elsewhere. */
export async function inspectDocx(bytes: Buffer): Promise<Buffer | FileProblem> {
  const entries = readZip(bytes)
  if (!entries) return 'broken'
  const names = new Set(entries.map(({ name }) => name))
  if (!names.has('[Content_Types].xml') || !names.has('word/document.xml')) return 'kind'
  if (entries.some(({ name }) => isActive(name))) return 'active'
  let markup = 0
  for (const entry of entries) {
    // Unpacked one after the other: together they might fill the memory.
    const content = await unzip(bytes, entry)
    if (!content) return 'broken'
    if (!isMarkup(entry.name, content)) continue
    markup += content.length
    if (markup > mostMarkup) return 'broken'
    const problem = inspectPart(entry.name, content)
    if (problem) return problem
  }
  return bytes
}

/** True for macros, ActiveX, OLE objects, and anything that a system would run or unpack. */
const isActive = (name: string): boolean =>
  /vba(?:project|data)|activex|^word\/embeddings\/|\.(?:bin|exe|dll|com|scr|bat|cmd|ps1|js|jse|vbs|vbe|wsf|hta|jar|msi|lnk|x?html?|mht(?:ml)?|svg|docm|dotm|zip)$/i.test(
    name,
  )

/** True for a name or a first character of XML: a part's type, not its name, decides how Word reads it. */
const isMarkup = (name: string, content: Buffer): boolean => /\.(?:xml|rels)$/i.test(name) || firstVisible(content) === 0x3c

/** Returns the first byte that is not blank; there may be millions before it. */
function firstVisible(content: Buffer): number | undefined {
  let at = 0
  while (isBlank[content[at] ?? -1]) at += 1
  return content[at]
}

/** Marks white space and byte order marks. */
const isBlank = new Uint8Array(256)
for (const byte of [0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff]) isBlank[byte] = 1

function inspectPart(name: string, content: Buffer): FileProblem | undefined {
  const text = textOf(content)
  if (text === undefined) return 'broken'
  const [isTypes, fields] = [name === '[Content_Types].xml', new Fields()]
  for (const token of tokensOf(text)) {
    if (token.kind === 'invalid') return 'broken'
    // Declared entities can make a text endless, or read a file.
    if (token.kind === 'doctype') return 'active'
    fields.read(token)
    if (token.kind === 'open') {
      const problem = isTypes ? inspectTypes(token.attributes) : fetches(token) || isForeign(token) ? 'active' : undefined
      if (problem) return problem
    }
  }
  return fields.startProgram() ? 'active' : undefined
}

/** True for a part of another format, such as a web page, which Word converts when it opens (altChunk). No type is as long as the limit. */
function isForeign({ name, attributes }: StartTag): boolean {
  if (!/^relationship$/i.test(local(name))) return false
  return [...attributes].some(
    ([key, written]) => /^type$/i.test(local(key)) && (written.length > longestName || /\/aFChunk\s*$/i.test(decodeEntities(written).text)),
  )
}

/** Refuses types of macros, web pages and mails, and of other kinds of document. A missing type is no reason: small programs leave some out. */
function inspectTypes(attributes: Attributes): FileProblem | undefined {
  for (const written of attributes.values()) {
    if (written.length > longestName) return 'broken'
    const type = decodeEntities(written).text
    if (/macroEnabled|vbaProject|activeX|oleObject|message\/rfc822|text\/html|xhtml\+xml/i.test(type)) return 'active'
    if (/spreadsheetml|presentationml/i.test(type) && /\.main\+xml/i.test(type)) return 'kind'
  }
  return undefined
}

/** True for a target that Word fetches by itself, such as a template or a picture. A link waits for a click. */
function fetches({ name, attributes }: StartTag): boolean {
  if (!/^relationship$/i.test(local(name))) return false
  const type = attributes.get('Type') ?? ''
  if (type.length <= longestName && /\/hyperlink$/i.test(decodeEntities(type).text)) return false
  return [...attributes].some(
    ([key, written]) =>
      /^targetmode$/i.test(local(key)) &&
      (written.length > longestName || decodeEntities(written).text.trim().toLowerCase() === 'external'),
  )
}

/** Decodes UTF-8 or UTF-16, the encodings of the format (ECMA-376, part 2). Returns undefined if the text declares another. */
function textOf(content: Buffer): string | undefined {
  const [first = 0, second = 0] = content
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8'
  const text = new TextDecoder(encoding).decode(content).replaceAll('\0', '')
  return /^\s*<\?xml\s[^>]{0,100}encoding\s*=\s*["'](?!utf-?(?:8|16)["'])/i.test(text) ? undefined : text
}

/** The characters that are read of a field. Some fields hold long lists, but the first word names the field. */
const longestStart = 2000

/** Separates the pieces of a field; no XML text contains it. */
const seam = '\u0001'
const dde = /\u0001[^a-z\u0001]*D\u0001*D\u0001*E(?:\u0001*A\u0001*U\u0001*T\u0001*O)?(?![a-z\d])/i

/**
 * Finds DDE fields of Word, which start a program. A field's text is an attribute, or pieces in many elements. Any piece counts as a possible first
 * one, so that misleading elements between them do not matter.
 */
class Fields {
  private pieces = ''
  private isHidden = false
  private isReading = false

  read(token: Token): void {
    if (token.kind === 'text' && this.isReading) this.add(token.text)
    if (token.kind !== 'open' && token.kind !== 'close') return
    if (/^(?:del)?instrText$/i.test(local(token.name))) this.isReading = token.kind === 'open'
    if (token.kind === 'open') for (const [name, value] of token.attributes) if (local(name) === 'instr') this.add(value)
  }

  /** Returns true after the last token if a field starts a program. 2000 characters without a letter hide the first word, and count. */
  startProgram(): boolean {
    return this.isHidden || dde.test(this.pieces)
  }

  private add(written: string): void {
    const start = decodeEntities(written.slice(0, longestStart)).text
    this.pieces += seam + start
    this.isHidden ||= written.length > longestStart && !/[a-z]/i.test(start)
  }
}
