import { geometry } from './svg-attributes.ts'

/** The limits of sizes and scales, by which renderers divide. Drawing programs stay far within them. */
const sizes = { least: 1e-3, most: 1e6 }
/** A thousandth of the least size. Drawing programs write a rotation's zero as `4.37e-08`. */
const nearlyZero = 1e-6

const named = new Set(['id', 'preserveAspectRatio', 'version'])
const lengths = new Set(
  'font-size letter-spacing stroke-dasharray stroke-dashoffset stroke-miterlimit stroke-width word-spacing opacity fill-opacity stroke-opacity stop-opacity'.split(
    ' ',
  ),
)
const transforms = new Set(['transform', 'gradientTransform', 'patternTransform'])
const number = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi

/** Returns an attribute's value with numbers that can be drawn, or undefined if one is too large, or a size or scale too small. */
export function drawable(name: string, value: string): string | undefined {
  if (!lengths.has(name) && (!geometry.has(name) || named.has(name))) return value
  const all = numbersIn(value)
  if (all.some(each => each > sizes.most) || sizesIn(name, value).some(each => each < sizes.least)) return undefined
  if (!all.some(isNearlyZero)) return value
  return value.replaceAll(number, (written, at: number) => {
    if (!isNearlyZero(Math.abs(Number(written)))) return written
    // Numbers of a path may follow each other without a space.
    const [before, after] = [/[\d.]/.test(value[at - 1] ?? ''), /[\d.]/.test(value[at + written.length] ?? '')]
    return `${before ? ' ' : ''}0${after ? ' ' : ''}`
  })
}

const numbersIn = (text: string): number[] => [...text.matchAll(number)].map(([written]) => Math.abs(Number(written)))

const isNearlyZero = (size: number): boolean => size > 0 && size < nearlyZero

function sizesIn(name: string, value: string): number[] {
  if (name === 'viewBox') return numbersIn(value).slice(2)
  // A shape may have no size, as an empty bar of a chart.
  if (name === 'width' || name === 'height') return numbersIn(value).filter(each => each > 0)
  // Searching half a million letters of a shape for it would take long.
  if (!transforms.has(name)) return []
  return [...value.matchAll(/scale\s*\(([^()]*)\)/gi)].flatMap(([, sizes = '']) => numbersIn(sizes))
}
