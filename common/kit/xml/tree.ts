import { type Attributes, decodeEntities, tokensOf } from './xml.ts'

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
