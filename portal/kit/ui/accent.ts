/** What a business unit's colour becomes: the fill, the text on it, and the colour as ink on light and on dark paper. */
export type AccentColours = { accent: string; onAccent: string; inkLight: string; inkDark: string }

type Rgb = readonly [red: number, green: number, blue: number]

/**
 * Whatever colour a unit brings, all text stays readable (WCAG AA, 4.5 to 1): white or black on the colour itself, and the colour
 * darkened or lightened until it can be read as ink, also on a tint of itself.
 */
export function accentColours(accent: string): AccentColours {
  const colour = readColour(accent) ?? readColour(fallback) ?? black
  return {
    accent: written(colour),
    onAccent: written([white, nearBlack].find(text => contrast(colour, text) >= readable) ?? black),
    inkLight: written(readableInk(colour, lightPapers, black)),
    inkDark: written(readableInk(colour, darkPapers, white)),
  }
}

const fallback = '#1f5f8b'
const readable = 4.5
/** The share of ink in the tint that theme.css calls accent-soft. */
const tint = 0.09

const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
const nearBlack: Rgb = [20, 20, 20]
/** What ink is read on: page, sheet, raised and sunken of theme.css. */
const lightPapers: Rgb[] = [white, [0xf8, 0xf8, 0xf7], [0xf3, 0xf3, 0xf2]]
const darkPapers: Rgb[] = [
  [0x12, 0x13, 0x14],
  [0x19, 0x1a, 0x1c],
  [0x21, 0x22, 0x25],
  [0x22, 0x24, 0x27],
]

/** The least change towards black or white that can be read on every paper and on every paper's tint. */
function readableInk(colour: Rgb, papers: Rgb[], towards: Rgb): Rgb {
  for (let step = 0; step < 100; step++) {
    const ink = mixed(colour, towards, step / 100)
    if (papers.every(paper => contrast(ink, mixed(paper, ink, tint)) >= readable && contrast(ink, paper) >= readable)) return ink
  }
  return towards
}

/** From 1 (the same) to 21 (black on white). */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map(part => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function readColour(text: string): Rgb | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return undefined
  return [Number.parseInt(text.slice(1, 3), 16), Number.parseInt(text.slice(3, 5), 16), Number.parseInt(text.slice(5), 16)]
}

const mixed = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, index) => Math.round(part + ((to[index] ?? part) - part) * share)) as unknown as Rgb

const written = (colour: Rgb): string => `#${colour.map(part => part.toString(16).padStart(2, '0')).join('')}`
