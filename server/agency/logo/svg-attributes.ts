/** The attributes for the looks of an element. */
export const presentation = new Set(
  (
    'clip-path clip-rule color color-interpolation display dominant-baseline fill fill-opacity fill-rule font-family font-size font-style font-weight letter-spacing ' +
    'mask opacity overflow paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin ' +
    'stroke-miterlimit stroke-opacity stroke-width text-anchor text-rendering vector-effect visibility word-spacing'
  ).split(' '),
)

/** The attributes for the position and size of an element. */
export const geometry = new Set(
  (
    'id x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d dx dy points width height viewBox preserveAspectRatio transform gradientTransform gradientUnits ' +
    'patternTransform patternUnits patternContentUnits clipPathUnits maskUnits maskContentUnits spreadMethod offset rotate textLength lengthAdjust version pathLength'
  ).split(' '),
)

/** The longest value of a colour, name or list of numbers. A class repeats its values in each of its elements. */
const longest = 1000
/** The longest value of a shape's own points. */
const longestShape = 500_000

/** Returns whether a value is safe: a number, name, colour or path. A `url(…)` must lead into the picture itself. */
export function safeValue(name: string, value: string): boolean {
  if (value.length > (shapes.has(name) ? longestShape : longest)) return false
  if (/[\\<>{}@]|\p{Cc}(?<![\t\n\r])|javascript:|data:|expression|image-set|attr\(|var\(/iu.test(value)) return false
  const calls = value.match(/url\s*\(/gi) ?? []
  return calls.length === 0 || /^\s*url\(\s*(["']?)#[\w.-]{1,200}\1\s*\)(?:\s+[\w#.-]+)?\s*$/i.test(value)
}

/** The attributes with the points of a shape. */
export const shapes = new Set(['d', 'points'])

/** The properties of each class. The last declaration of a property counts. */
export type Rules = Map<string, Map<string, string>>
type Declaration = [name: string, value: string]

/** The most that is read of a style sheet. Real logos stay below, and longer sheets cost no time. */
const most = { text: 100_000, declarations: 100 }

/** Reads a style sheet's plain class rules, such as `.cls-1, .cls-2 { fill: #123 }`. Other rules are ignored. */
export function styleRules(text: string): Rules {
  const rules: Rules = new Map()
  for (const rule of withoutComments(text.slice(0, most.text)).split('}')) {
    const brace = rule.indexOf('{')
    if (brace < 0) continue
    const declared = rule
      .slice(brace + 1)
      .split(';')
      .slice(0, most.declarations)
      .flatMap(declarationIn)
    for (const selector of rule.slice(0, brace).split(',')) {
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
    .map((part, index) => (index === 0 ? part : part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : ''))
    .join('')

function declarationIn(text: string): Declaration[] {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trim().toLowerCase()
  const value = text
    .slice(colon + 1)
    .replace(/!\s*important\s*$/i, '')
    .trim()
  return colon > 0 && presentation.has(name) && value !== '' && safeValue(name, value) ? [[name, value]] : []
}
