/** What says how something is drawn. */
export const presentation = new Set(
  (
    'clip-path clip-rule color color-interpolation display dominant-baseline fill fill-opacity fill-rule font-family font-size font-style font-weight letter-spacing ' +
    'mask opacity overflow paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin ' +
    'stroke-miterlimit stroke-opacity stroke-width text-anchor text-rendering vector-effect visibility word-spacing'
  ).split(' '),
)

/** What says where. */
export const geometry = new Set(
  (
    'id x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d dx dy points width height viewBox preserveAspectRatio transform gradientTransform gradientUnits ' +
    'patternTransform patternUnits patternContentUnits clipPathUnits maskUnits maskContentUnits spreadMethod offset rotate textLength lengthAdjust version pathLength'
  ).split(' '),
)

/** No colour, name or row of numbers takes more; what a class says stands in each of its elements, so that much of it would swell. */
const longest = 1000
/** What a shape's own points may take. */
const longestShape = 500_000

/** Numbers, names, colours, paths; and `url(…)` only where it leads into the picture itself. */
export function safeValue(name: string, value: string): boolean {
  if (value.length > (shapes.has(name) ? longestShape : longest)) return false
  if (/[\\<>{}@]|\p{Cc}(?<![\t\n\r])|javascript:|data:|expression|image-set|attr\(|var\(/iu.test(value)) return false
  const calls = value.match(/url\s*\(/gi) ?? []
  return calls.length === 0 || /^\s*url\(\s*(["']?)#[\w.-]{1,200}\1\s*\)(?:\s+[\w#.-]+)?\s*$/i.test(value)
}

/** What holds the points of a shape. */
export const shapes = new Set(['d', 'points'])

/** What each class says, the last word of each. */
export type Rules = Map<string, Map<string, string>>
type Declaration = [name: string, value: string]

/** A style sheet of more than that is none of a logo, and none that is longer holds anybody up. */
const most = { text: 100_000, declarations: 100 }

/** The plain class rules of a style sheet, as drawing programs write them: `.cls-1, .cls-2 { fill: #123 }`. Any other rule is passed over. */
export function styleRules(text: string): Rules {
  const rules: Rules = new Map()
  for (const rule of withoutComments(text.slice(0, most.text)).split('}')) {
    const place = rule.indexOf('{')
    if (place < 0) continue
    const declared = rule
      .slice(place + 1)
      .split(';')
      .slice(0, most.declarations)
      .flatMap(declarationIn)
    for (const selector of rule.slice(0, place).split(',')) {
      const name = /^\s*\.([\w-]{1,100})\s*$/.exec(selector)?.[1]
      if (!name) continue
      const known = rules.get(name) ?? new Map<string, string>()
      for (const [property, value] of declared) known.set(property, value)
      rules.set(name, known)
    }
  }
  return rules
}

const withoutComments = (text: string): string =>
  text
    .split('/*')
    .map((part, place) => (place === 0 ? part : part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : ''))
    .join('')

function declarationIn(text: string): Declaration[] {
  const place = text.indexOf(':')
  const name = text.slice(0, place).trim().toLowerCase()
  const value = text
    .slice(place + 1)
    .replace(/!\s*important\s*$/i, '')
    .trim()
  return place > 0 && presentation.has(name) && value !== '' && safeValue(name, value) ? [[name, value]] : []
}
