/** One thing of an XML text, in its order. Names of elements are without their prefix; what is said is as it was written (`saidIn`). */
export type Mark =
  | Opened
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }
  /** A document type; what it declares is not read. */
  | { kind: 'doctype' }
  /** Nothing that XML knows, after which nothing is read. */
  | { kind: 'fault' }

export type Opened = { kind: 'open'; name: string; attributes: Attributes }
export type Attributes = ReadonlyMap<string, string>

/** No element of a document has a tenth of it. */
const mostAttributes = 1000

const tagName = /[^\s/>=<"'!?]+/y
const attribute = /\s+([^\s/>=<"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
const endOfTag = /\s*(\/?)>/y

/**
 * Reads an XML text from front to back, each letter at most a few times, whatever it holds: the first thing that cannot be read is the end.
 * Whether the tags meet is not asked.
 */
export function* marksOf(text: string): Generator<Mark> {
  for (let at = 0; at < text.length; ) {
    const tag = text.indexOf('<', at)
    if (tag !== at) yield { kind: 'text', text: text.slice(at, tag < 0 ? text.length : tag) }
    if (tag < 0) return
    const [found, next] = markAt(text, tag)
    if (found) yield found
    if (next === undefined) return
    // An element that is alone is one that ends at once.
    if (found?.kind === 'open' && text[next - 2] === '/') yield { kind: 'close', name: found.name }
    at = next
  }
}

/** What stands at a `<`, and where it goes on, if it does. */
type Found = [mark: Mark | undefined, next: number | undefined]

const fault: Found = [{ kind: 'fault' }, undefined]

function markAt(text: string, at: number): Found {
  if (text[at + 1] === '/') {
    const name = matchAt(tagName, text, at + 2)?.[0] ?? ''
    const end = matchAt(endOfTag, text, at + 2 + name.length)
    return name && end?.[1] === '' ? [{ kind: 'close', name: local(name) }, tagEnd()] : fault
  }
  if (text[at + 1] === '?') return skipped(text, at + 2, '?>')
  if (text.startsWith('<!--', at)) return skipped(text, at + 4, '-->')
  if (text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at)
    return end < 0 ? fault : [{ kind: 'text', text: text.slice(at + 9, end).replaceAll('&', '&amp;') }, end + 3]
  }
  return text[at + 1] === '!' ? [{ kind: 'doctype' }, undefined] : opened(text, at + 1)
}

function skipped(text: string, from: number, end: string): Found {
  const place = text.indexOf(end, from)
  return place < 0 ? fault : [undefined, place + end.length]
}

const none: Attributes = new Map()

function opened(text: string, from: number): Found {
  const name = matchAt(tagName, text, from)?.[0] ?? ''
  let at = from + name.length
  let attributes: Map<string, string> | undefined
  for (let one = matchAt(attribute, text, at); one; one = matchAt(attribute, text, at)) {
    attributes ??= new Map()
    const [whole, key = '', double, single] = one
    if (attributes.has(key) || attributes.size >= mostAttributes) return fault
    attributes.set(key, double ?? single ?? '')
    at += whole.length
  }
  return name && matchAt(endOfTag, text, at) ? [{ kind: 'open', name: local(name), attributes: attributes ?? none }, tagEnd()] : fault
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Behind the tag whose end was found last. */
const tagEnd = (): number => endOfTag.lastIndex

export const local = (name: string): string => name.slice(name.lastIndexOf(':') + 1)

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** With the five entities and numbers read; any other only a document type can have declared. */
export const saidIn = (written: string): string =>
  written.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|apos));/gi, (whole, tens?: string, hex?: string, name = '') => {
    const code = tens ? Number(tens) : hex ? Number.parseInt(hex, 16) : -1
    if (code < 0) return named[name] ?? whole
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole
  })
