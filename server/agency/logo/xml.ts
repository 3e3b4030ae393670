export type Element = { name: string; attributes: [name: string, value: string][]; children: (Element | string)[] }

const most = { elements: 5_000, depth: 60, attributes: 100 }

const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE\s[^[>]*>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/gy
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g

/**
 * A small reader of XML that stops at the first thing it does not know: nothing is guessed, repaired or fetched, and a document type that
 * declares anything is refused, so that there are no entities but the five.
 */
export function readXml(bytes: Buffer): Element | undefined {
  const text = decoded(bytes)
  if (text === undefined) return undefined
  const top: Element = { name: '', attributes: [], children: [] }
  const open: Element[] = [top]
  let elements = 0
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const found = token.exec(text)
    const inside = open.at(-1)
    if (!found || !inside) return undefined
    const [whole, cdata, closed, opened, attributes = '', alone] = found
    if (cdata !== undefined) inside.children.push(cdata)
    else if (closed !== undefined) {
      if (open.pop()?.name !== closed || open.length === 0) return undefined
    } else if (opened !== undefined) {
      const element = elementOf(opened, attributes)
      if (!element || ++elements > most.elements || open.length > most.depth) return undefined
      inside.children.push(element)
      if (alone === '') open.push(element)
    } else if (!whole.startsWith('<')) {
      const said = plainText(whole)
      if (said === undefined) return undefined
      inside.children.push(said)
    }
  }
  return open.length === 1 ? onlyRoot(top) : undefined
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
  } catch {
    return undefined
  }
}

function elementOf(name: string, written: string): Element | undefined {
  const attributes = new Map<string, string>()
  for (const [, key = '', double, single] of written.matchAll(attribute)) {
    const value = plainText(double ?? single ?? '')
    if (value === undefined || attributes.has(key) || attributes.size >= most.attributes) return undefined
    attributes.set(key, value)
  }
  return { name, attributes: [...attributes], children: [] }
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five entities and numbers; any other is one that somebody declared. */
function plainText(text: string): string | undefined {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) return undefined
  const parts = text.split(/&([^;&\s]{1,10});/)
  const read = parts.map((part, place) => (place % 2 === 0 ? part : entity(part)))
  return read.some((part, place) => part === undefined || (place % 2 === 0 && part.includes('&'))) ? undefined : read.join('')
}

function entity(name: string): string | undefined {
  const code = /^#x([\da-f]{1,6})$/i.exec(name)?.[1] ?? undefined
  const number = code ? Number.parseInt(code, 16) : Number(/^#(\d{1,7})$/.exec(name)?.[1] ?? Number.NaN)
  if (Number.isNaN(number)) return Object.hasOwn(named, name) ? named[name] : undefined
  const shown =
    number === 9 || number === 10 || number === 13 || (number >= 32 && number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff))
  return shown ? String.fromCodePoint(number) : undefined
}

function onlyRoot(top: Element): Element | undefined {
  const elements = top.children.filter(child => typeof child !== 'string')
  const texts = top.children.filter(child => typeof child === 'string')
  return elements.length === 1 && texts.every(text => text.trim() === '') ? elements[0] : undefined
}
