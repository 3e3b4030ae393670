import { type Bitmap2D, correction, generate, mode } from 'lean-qr'

/** Version 10: 213 bytes at error correction M, still easy to scan at the size at which it is shown. */
const largest = 10

/** The modes that all tested scanners could read. Those of other alphabets are not among them. */
const modes = [mode.numeric, mode.alphaNumeric, mode.ascii, mode.utf8]

/** Returns a QR code as an SVG without styles, or null if the text is too long. */
export function qrCode(text: string): string | null {
  try {
    return svgOf(generate(text.toWellFormed(), { minCorrectionLevel: correction.M, maxVersion: largest, modes }))
  } catch {
    return null
  }
}

/** Draws each run of dark modules as one rectangle, inside the quiet margin of four modules. */
function svgOf(code: Bitmap2D): string {
  const { size } = code
  const rows = Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => Number(code.get(x, y))).join(''))
  const path = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ index, 0: { length } }) => `M${index + 4} ${y + 4}h${length}v1h-${length}z`),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size + 8} ${size + 8}"><path d="${path.join('')}"/></svg>`
}
