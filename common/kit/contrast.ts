/** White where it reads well on a colour (`#rrggbb`), else black: one of the two always has a contrast of 4.5 and more (WCAG 1.4.3). */
export const textOn = (background: string): '#ffffff' | '#000000' => (contrast(background, '#ffffff') >= 4.5 ? '#ffffff' : '#000000')

export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
