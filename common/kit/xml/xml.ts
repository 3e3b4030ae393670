/** One token of an XML text, in order. Names include their prefix (`local` removes it); texts and values are still encoded (`decodeEntities`). */
export type Token =
  | StartTag
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }
  /** A document type. It is the last token if it has declarations, which are not read. */
  | { kind: 'doctype'; hasDeclarations: boolean }
  /** Text that is not XML. It is the last token. */
  | { kind: 'invalid' }

export type StartTag = { kind: 'open'; name: string; attributes: Attributes }
export type Attributes = ReadonlyMap<string, string>

/** The maximum number of attributes of an element, ten times what documents need. */
const mostAttributes = 1000

const tagName = /[^\s/>=<"'!?]+/y
const attribute = /\s+([^\s/>=<"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const endOfTag = /\s*(\/?)>/y

/**
 * Reads an XML text in time linear to its length. Stops at the first invalid character, declares no entity and fetches nothing. The caller checks
 * whether the tags match.
 */
export function* tokensOf(text: string): Generator<Token> {
  for (let at = 0; at < text.length; ) {
    const tag = text.indexOf('<', at)
    if (tag !== at) yield { kind: 'text', text: text.slice(at, tag < 0 ? text.length : tag) }
    if (tag < 0) return
    const [token, next] = tokenAt(text, tag)
    if (token) yield token
    if (next === undefined) return
    // `<a/>` opens and closes.
    if (token?.kind === 'open' && text[next - 2] === '/') yield { kind: 'close', name: token.name }
    at = next
  }
}

/** A token and the index after it; without an index the token is the last. */
type TokenAt = [token: Token | undefined, next: number | undefined]

const invalid: TokenAt = [{ kind: 'invalid' }, undefined]

function tokenAt(text: string, at: number): TokenAt {
  if (text[at + 1] === '/') {
    const name = matchAt(tagName, text, at + 2)?.[0] ?? ''
    const end = matchAt(endOfTag, text, at + 2 + name.length)
    return name && end?.[1] === '' ? [{ kind: 'close', name }, tagEnd()] : invalid
  }
  if (text[at + 1] === '?') return skipped(text, at + 2, '?>')
  if (text.startsWith('<!--', at)) return skipped(text, at + 4, '-->')
  if (text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at)
    return end < 0 ? invalid : [{ kind: 'text', text: text.slice(at + 9, end).replaceAll('&', '&amp;') }, end + 3]
  }
  return text[at + 1] === '!' ? doctype(text, at) : startTag(text, at + 1)
}

function doctype(text: string, at: number): TokenAt {
  const end = text.indexOf('>', at)
  const hasDeclarations = end < 0 || /[[<]/.test(text.slice(at + 1, end))
  return [{ kind: 'doctype', hasDeclarations }, hasDeclarations ? undefined : end + 1]
}

function skipped(text: string, from: number, end: string): TokenAt {
  const index = text.indexOf(end, from)
  return index < 0 ? invalid : [undefined, index + end.length]
}

const none: Attributes = new Map()

function startTag(text: string, from: number): TokenAt {
  const name = matchAt(tagName, text, from)?.[0] ?? ''
  let at = from + name.length
  let attributes: Map<string, string> | undefined
  for (let one = matchAt(attribute, text, at); one; one = matchAt(attribute, text, at)) {
    attributes ??= new Map()
    const [whole, key = '', double, single] = one
    if (attributes.has(key) || attributes.size >= mostAttributes) return invalid
    attributes.set(key, double ?? single ?? '')
    at += whole.length
  }
  return name && matchAt(endOfTag, text, at) ? [{ kind: 'open', name, attributes: attributes ?? none }, tagEnd()] : invalid
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Returns the index after the tag whose end was matched last. */
const tagEnd = (): number => endOfTag.lastIndex

/** Returns a name without its prefix. */
export const local = (name: string): string => name.slice(name.lastIndexOf(':') + 1)

/** Decodes the five standard entities and numbers. Control characters and all other entities are invalid. */
export function decodeEntities(written: string): { text: string; isValid: boolean } {
  let isValid = isText(written)
  const text = written.replaceAll(/&(?:#(\d+);|#x([\da-f]+);|(\w{1,10});)?/gi, (whole, tens?: string, hex?: string, name = '') => {
    const code = tens ? Number(tens) : hex ? Number.parseInt(hex, 16) : -1
    const character = code < 0 ? named.get(name) : code <= 0x10_ffff ? String.fromCodePoint(code) : undefined
    isValid &&= character !== undefined && isText(character) && character.isWellFormed()
    return character ?? whole
  })
  return { text, isValid }
}

const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

const isText = (text: string): boolean => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)

/** An element with its name as written, its decoded text and its children in order. */
export type Element = { name: string; attributes: Attributes; text: string; children: Element[] }

/** The maximum number of elements, far more than any document of a person or a bank needs. */
const mostElements = 400_000
const mostDepth = 40

export type TreeProblem = 'broken' | 'doctype' | 'many'

/** Reads a whole XML document. Refuses a document type, entities of its own, text outside tags, and tags that do not match. */
export function treeOf(text: string): Element | TreeProblem {
  const root: Element = { name: '', attributes: new Map(), text: '', children: [] }
  const path = [root]
  let count = 0
  for (const token of tokensOf(text)) {
    const parent = path.at(-1) ?? root
    if (token.kind === 'doctype') return 'doctype'
    if (token.kind === 'invalid') return 'broken'
    if (token.kind === 'text') {
      const { text, isValid } = decodeEntities(token.text)
      if (!isValid || (parent === root && text.trim() !== '')) return 'broken'
      parent.text += text
    } else if (token.kind === 'close') {
      if (parent === root || path.pop()?.name !== token.name) return 'broken'
    } else {
      if (parent === root && root.children.length > 0) return 'broken'
      if (++count > mostElements || path.length > mostDepth) return 'many'
      const element = { name: token.name, attributes: token.attributes, text: '', children: [] }
      parent.children.push(element)
      path.push(element)
    }
  }
  return path.length === 1 ? (root.children[0] ?? 'broken') : 'broken'
}
