import { decodeEntities, type StartTag, tokensOf } from '#common/kit/xml/xml.ts'

export type Element = { name: string; attributes: [name: string, value: string][]; children: (Element | string)[] }

const most = { elements: 5_000, depth: 60, attributes: 100 }

/** Reads well-formed XML within the limits and returns its root. Returns undefined for anything else, such as declared entities. */
export function readXml(bytes: Buffer): Element | undefined {
  const text = textOf(bytes)
  if (text === undefined) return undefined
  const top: Element = { name: '', attributes: [], children: [] }
  const open: Element[] = [top]
  let elements = 0
  for (const token of tokensOf(text)) {
    const parent = open.at(-1)
    if (!parent || token.kind === 'invalid' || (token.kind === 'doctype' && token.hasDeclarations)) return undefined
    if (token.kind === 'open') {
      const element = elementOf(token)
      if (!element || ++elements > most.elements || open.length > most.depth) return undefined
      parent.children.push(element)
      open.push(element)
    } else if (token.kind === 'close') {
      if (open.length === 1 || open.pop()?.name !== token.name) return undefined
    } else if (token.kind === 'text') {
      const { text, isValid } = decodeEntities(token.text)
      if (!isValid) return undefined
      parent.children.push(text)
    }
  }
  return open.length === 1 ? onlyRoot(top) : undefined
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
  } catch {
    return undefined
  }
}

function elementOf({ name, attributes }: StartTag): Element | undefined {
  const values = [...attributes].map(([key, written]) => ({ key, ...decodeEntities(written) }))
  if (values.length > most.attributes || values.some(({ isValid }) => !isValid)) return undefined
  return { name, attributes: values.map(({ key, text }) => [key, text]), children: [] }
}

function onlyRoot(top: Element): Element | undefined {
  const elements = top.children.filter(child => typeof child !== 'string')
  const texts = top.children.filter(child => typeof child === 'string')
  return elements.length === 1 && texts.every(text => text.trim() === '') ? elements[0] : undefined
}
