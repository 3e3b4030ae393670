import type { FileFault } from './judge.ts'
import { readZip, unzip } from './zip.ts'

/** A document of Word without macros, controls, packed files or parts that are fetched from elsewhere. */
export async function judgeDocx(bytes: Buffer): Promise<Buffer | FileFault> {
  const entries = readZip(bytes)
  if (!entries) return 'broken'
  const names = new Set(entries.map(({ name }) => name))
  if (!names.has('[Content_Types].xml') || !names.has('word/document.xml')) return 'kind'
  if (entries.some(({ name }) => isActive(name))) return 'active'
  for (const entry of entries) {
    // One after the other: together they might fill the memory.
    const content = await unzip(bytes, entry)
    if (!content) return 'broken'
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

function judgePart(name: string, content: Buffer): FileFault | undefined {
  if (name === '[Content_Types].xml') return judgeTypes(wordsOf(content))
  if (/\.rels$/i.test(name) && fetches(wordsOf(content))) return 'active'
  if (/\.xml$/i.test(name)) return judgeWords(wordsOf(content))
  return undefined
}

/** Programs that write little leave the types out that they do not need; another kind of document they would name. */
function judgeTypes(words: string): FileFault | undefined {
  if (/macroEnabled|vbaProject|activeX|oleObject/i.test(words)) return 'active'
  return /(?:spreadsheetml|presentationml)[.\w]*\.main\+xml/.test(words) ? 'kind' : undefined
}

/** A declaration of entities makes a text endless, or reads a file; a DDE field starts a program. */
function judgeWords(words: string): FileFault | undefined {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(words)) return 'active'
  return /<w:instrText[^>]*>\s*DDE(?:AUTO)?\b|w:instr="\s*DDE(?:AUTO)?\b/i.test(words) ? 'active' : undefined
}

/** A link is followed by who clicks it; a template or picture from elsewhere is fetched by the program itself. */
const fetches = (words: string): boolean =>
  (words.match(/<Relationship\b[^>]*>/gi) ?? []).some(
    one => /TargetMode\s*=\s*["']External/i.test(one) && !/Type\s*=\s*["'][^"']*\/hyperlink["']/i.test(one),
  )

const wordsOf = (content: Buffer): string =>
  content[0] === 0xff && content[1] === 0xfe ? content.toString('utf16le') : content.toString('utf8').replaceAll('\0', '')
