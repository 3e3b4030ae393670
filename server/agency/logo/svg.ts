import { type Element, readXml } from './xml.ts'
import { geometry, presentation, safeValue, styleRules } from './svg-attributes.ts'

const drawing = new Set(
  'svg g path rect circle ellipse line polyline polygon text tspan defs linearGradient radialGradient stop clipPath mask pattern symbol use title desc'.split(
    ' ',
  ),
)
const namespace = 'http://www.w3.org/2000/svg'

/**
 * SVG, written anew from what draws: known elements with known attributes, whose values lead nowhere but into the picture itself. Scripts,
 * styles, foreign content, links and whatever has a name of its own are gone with all that is in them. What is no well-formed XML, or
 * declares entities, is no logo.
 */
export function cleanSvg(bytes: Buffer): Buffer | undefined {
  const root = readXml(bytes)
  if (root?.name !== 'svg' || !hasSize(root)) return undefined
  const rules = styleRules(stylesIn(root))
  const text = written({ ...root, attributes: root.attributes.filter(([name]) => name !== 'xmlns') }, rules, ` xmlns="${namespace}"`)
  return Buffer.from(text)
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

type Rules = ReturnType<typeof styleRules>

function written(element: Element, rules: Rules, extra = ''): string {
  const inside = element.children
    .map(child => (typeof child === 'string' ? escaped(child) : drawing.has(child.name) ? written(child, rules) : ''))
    .join('')
  const attributes = [...attributesOf(element, rules)].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  return inside.trim() === '' && element.name !== 'text' && element.name !== 'tspan'
    ? `<${element.name}${extra}${attributes}/>`
    : `<${element.name}${extra}${attributes}>${inside}</${element.name}>`
}

/** Classes and style texts become plain attributes; what comes later in this order counts, as it does in a browser. */
function attributesOf({ name: element, attributes }: Element, rules: Rules): Map<string, string> {
  const kept = new Map<string, string>()
  const keep = (name: string, value: string) => {
    if (safeValue(value)) kept.set(name, value)
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
  for (const each of classes) for (const [name, value] of rules.get(each) ?? []) keep(name, value)
  const style = attributes.find(([name]) => name === 'style')?.[1] ?? ''
  for (const [name, value] of styleRules(`.own{${style}}`).get('own') ?? []) keep(name, value)
  return kept
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, sign => entities[sign] ?? sign)
