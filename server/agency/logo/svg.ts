import { logoBytes } from '#common/agency/profile.ts'
import { type Element, readXml } from './xml-tree.ts'
import { geometry, presentation, type Rules, safeValue, styleRules } from './svg-attributes.ts'
import { drawable } from './svg-numbers.ts'
import { isLight } from './svg-weight.ts'

const drawing = new Set(
  'svg g path rect circle ellipse line polyline polygon text tspan defs linearGradient radialGradient stop clipPath mask pattern symbol use title desc'.split(
    ' ',
  ),
)
const namespace = 'http://www.w3.org/2000/svg'

/**
 * Rewrites an SVG from known elements and attributes, whose values refer only to the picture itself.
 * Scripts, styles, foreign content, links and unknown elements go with all their content. It refuses malformed XML, declared entities,
 * results over the size limit and endless drawings. Returns `numbers` if it has some that nothing draws.
 */
export function cleanSvg(bytes: Buffer): Buffer | 'numbers' | undefined {
  const root = readXml(bytes)
  if (root?.name !== 'svg' || !hasSize(root)) return undefined
  const rules = styleRules(stylesIn(root))
  const space = { left: logoBytes }
  const drawn = { ...root, attributes: root.attributes.filter(([name]) => name !== 'xmlns') }
  const content = Buffer.from(written(drawn, rules, space, ` xmlns="${namespace}"`))
  if (space.left === -Infinity) return 'numbers'
  // The weight counts only for elements that were kept.
  const kept = space.left >= 0 ? readXml(content) : undefined
  return kept && isLight(kept) ? content : undefined
}

const hasSize = ({ attributes }: Element): boolean => {
  const names = new Set(attributes.map(([name]) => name))
  return names.has('viewBox') || (names.has('width') && names.has('height'))
}

const stylesIn = (element: Element): string =>
  element.children
    .map(child =>
      typeof child === 'string'
        ? ''
        : child.name === 'style'
          ? child.children.filter(each => typeof each === 'string').join('')
          : stylesIn(child),
    )
    .join('\n')

/** Writes until the space is used up, since a logo that needs more is refused anyway. */
function written(element: Element, rules: Rules, space: { left: number }, extra = ''): string {
  if (space.left < 0) return ''
  const values = [...attributesOf(element, rules)].map(([name, value]) => [name, drawable(name, value)] as const)
  if (values.some(([, value]) => value === undefined)) space.left = -Infinity
  const attributes = values.map(([name, value = '']) => ` ${name}="${escaped(value)}"`).join('')
  space.left -= 2 * element.name.length + 5 + extra.length + Buffer.byteLength(attributes)
  const inside = element.children
    .map(child => (typeof child === 'string' ? fitted(escaped(child), space) : drawing.has(child.name) ? written(child, rules, space) : ''))
    .join('')
  return inside.trim() === '' && element.name !== 'text' && element.name !== 'tspan'
    ? `<${element.name}${extra}${attributes}/>`
    : `<${element.name}${extra}${attributes}>${inside}</${element.name}>`
}

function fitted(text: string, space: { left: number }): string {
  space.left -= Buffer.byteLength(text)
  return text
}

/** Turns classes and styles into plain attributes. The last declaration counts, as in a browser. */
function attributesOf({ name: element, attributes }: Element, rules: Rules): Map<string, string> {
  const kept = new Map<string, string>()
  const keep = (name: string, value: string) => {
    if (safeValue(name, value)) kept.set(name, value)
  }
  for (const [name, value] of attributes) {
    if (presentation.has(name) || geometry.has(name)) keep(name, value)
    else if ((name === 'href' || name === 'xlink:href') && /^#[\w.-]{1,200}$/.test(value) && element !== 'svg') kept.set('href', value)
  }
  const classes =
    attributes
      .find(([name]) => name === 'class')?.[1]
      .split(/\s+/)
      .slice(0, 5) ?? []
  for (const each of classes) for (const [name, value] of rules.get(each) ?? []) kept.set(name, value)
  const style = attributes.find(([name]) => name === 'style')?.[1] ?? ''
  for (const [name, value] of styleRules(`.own{${style}}`).get('own') ?? []) kept.set(name, value)
  return kept
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, sign => entities[sign] ?? sign)
