import { shapes } from './svg-attributes.ts'
import type { Element } from './xml-tree.ts'

/**
 * The largest weight: twice the letters of the largest file. No real logo comes near it.
 * A browser or the PDF renderer draws that in less than a second. An element costs as much as fifty letters of a path.
 */
const most = { weight: 2_000_000, depth: 20 }
const weightOfElement = 50

/** The number of elements drawn, and their weight. */
type Measure = { elements: number; weight: number }

const endless: Measure = { elements: Infinity, weight: Infinity }

/**
 * Returns whether a drawing is quick to draw. Each shape counts as often as it is drawn.
 * Parts may refer to parts that refer to others, so a few hundred letters can draw millions of shapes. A part that refers to itself is
 * endless.
 */
export function isLight(root: Element): boolean {
  const byId = new Map<string, Element>()
  for (const element of elementsIn(root)) {
    const id = valueOf(element, 'id')
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
  }
  const known = new Map<Element, Measure>()
  const measure = (element: Element, depth: number): Measure => {
    const before = known.get(element)
    if (before || depth > most.depth) return before ?? endless
    known.set(element, endless)
    const parts = element.children.flatMap(child => (typeof child === 'string' ? [] : [measure(child, depth)]))
    const target = (id: string): Measure | undefined => {
      const element = byId.get(id)
      return element && !element.name.endsWith('Gradient') ? measure(element, depth + 1) : undefined
    }
    const shown = idsIn(element, ['href']).map(target)
    const all = [...parts, ...shown].filter(each => each !== undefined)
    const elements = all.reduce((sum, each) => sum + each.elements, 1)
    // An element without a colour takes that of its parent.
    const painted = idsIn(element, ['fill', 'stroke']).reduce((sum, id) => sum + (target(id)?.weight ?? 0) * elements, 0)
    const covered = idsIn(element, ['mask', 'clip-path']).reduce((sum, id) => sum + (target(id)?.weight ?? 0), 0)
    const measured = { elements, weight: all.reduce((sum, each) => sum + each.weight, ownWeight(element) + painted + covered) }
    known.set(element, measured)
    return measured
  }
  return measure(root, 0).weight <= most.weight
}

function* elementsIn(element: Element): Generator<Element> {
  yield element
  for (const child of element.children) if (typeof child !== 'string') yield* elementsIn(child)
}

const valueOf = ({ attributes }: Element, wanted: string): string | undefined => attributes.find(([name]) => name === wanted)?.[1]

const idsIn = (element: Element, names: string[]): string[] =>
  names.flatMap(name => /^(?:\s*url\(\s*["']?)?#([\w.-]+)/.exec(valueOf(element, name) ?? '')?.[1] ?? [])

const ownWeight = ({ attributes, children }: Element): number =>
  weightOfElement +
  attributes.reduce((sum, [name, value]) => sum + (shapes.has(name) ? value.length : 0), 0) +
  children.reduce((sum, child) => sum + (typeof child === 'string' ? child.trim().length : 0), 0)
