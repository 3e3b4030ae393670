import { contrast, eachPart, readColour, type Rgb, writeColour } from '#common/kit/contrast.ts'

/** What a business unit's colour becomes: the fill, the text on it, and the colour as ink on light and on dark paper. */
export type AccentColours = { accent: string; onAccent: string; inkLight: string; inkDark: string }

/**
 * Whatever colour a unit brings, all text stays readable (WCAG AA, 4.5 to 1): white or black on the colour itself, and the colour
 * darkened or lightened until it can be read as ink, also on a tint of itself.
 */
export function accentColours(accent: string): AccentColours {
  const colour = readColour(accent) ?? readColour(fallback) ?? black
  return {
    accent: writeColour(colour),
    onAccent: writeColour([white, nearBlack].find(text => contrast(colour, text) >= readable) ?? black),
    inkLight: writeColour(readableInk(colour, lightPapers, black)),
    inkDark: writeColour(readableInk(colour, darkPapers, white)),
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

const mixed = (from: Rgb, to: Rgb, share: number): Rgb => eachPart(from, (part, place) => Math.round(part + (to[place] - part) * share))
