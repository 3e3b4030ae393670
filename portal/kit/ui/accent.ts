import { contrast, eachPart, readColour, type Rgb, writeColour } from '#common/kit/contrast.ts'

/** The colours derived from a unit's colour: the fill, the text on it, and text of that colour on light and on dark. */
export type AccentColours = { accent: string; onAccent: string; inkLight: string; inkDark: string }

/**
 * Returns the colours for a unit's colour with all text readable (WCAG AA, 4.5 to 1). Text on the colour is white or black. As text, the colour is
 * darkened or lightened until it is readable, also on a tint of itself.
 */
export function accentColours(accent: string): AccentColours {
  const colour = readColour(accent) ?? readColour(fallback) ?? black
  return {
    accent: writeColour(colour),
    onAccent: writeColour([white, nearBlack].find(text => contrast(colour, text) >= readable) ?? black),
    inkLight: writeColour(readableInk(colour, lightBackgrounds, black)),
    inkDark: writeColour(readableInk(colour, darkBackgrounds, white)),
  }
}

const fallback = '#1f5f8b'
const readable = 4.5
/** The share of the text colour in accent-soft (theme.css). */
const tint = 0.09

const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
const nearBlack: Rgb = [20, 20, 20]
/** The backgrounds of text: page, sheet, raised and sunken of theme.css. */
const lightBackgrounds: Rgb[] = [white, [0xfa, 0xf9, 0xf7], [0xf4, 0xf2, 0xef]]
const darkBackgrounds: Rgb[] = [
  [0x12, 0x11, 0x10],
  [0x1a, 0x19, 0x17],
  [0x24, 0x22, 0x1f],
]

/** Returns the smallest change towards black or white that is readable on all backgrounds and tints. */
function readableInk(colour: Rgb, backgrounds: Rgb[], towards: Rgb): Rgb {
  for (let step = 0; step < 100; step++) {
    const ink = mixed(colour, towards, step / 100)
    if (backgrounds.every(background => contrast(ink, mixed(background, ink, tint)) >= readable && contrast(ink, background) >= readable))
      return ink
  }
  return towards
}

const mixed = (from: Rgb, to: Rgb, share: number): Rgb => eachPart(from, (part, index) => Math.round(part + (to[index] - part) * share))
