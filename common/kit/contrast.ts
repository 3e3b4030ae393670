export type Rgb = readonly [red: number, green: number, blue: number]

/** Returns white or black text for a colour (`#rrggbb`), with a contrast of at least 4.5 (WCAG 1.4.3). */
export const textOn = (background: string): '#ffffff' | '#000000' =>
  contrast(readColour(background) ?? [0, 0, 0], [255, 255, 255]) >= 4.5 ? '#ffffff' : '#000000'

/** Returns the contrast of two colours, from 1 (the same) to 21 (black on white). */
export function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map(part => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function readColour(text: string): Rgb | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return undefined
  return [Number.parseInt(text.slice(1, 3), 16), Number.parseInt(text.slice(3, 5), 16), Number.parseInt(text.slice(5), 16)]
}

/** Applies a function to red, green and blue. */
export const eachPart = ([red, green, blue]: Rgb, change: (part: number, index: 0 | 1 | 2) => number): Rgb => [
  change(red, 0),
  change(green, 1),
  change(blue, 2),
]

export const writeColour = (colour: Rgb): string => `#${colour.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`
