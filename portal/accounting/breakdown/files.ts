import { csvOf, dialectOf } from '#common/kit/csv.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { BreakdownTable } from './table.ts'

type File = { name: string; content: Blob }

/** The heading of the currency column, and the currency's code. */
type Currency = { head: string; code: string }

/** Returns a table as CSV for a spreadsheet in the user's language. Amounts have no currency sign, so the currency has a column. */
export function tableFile(name: string, table: BreakdownTable, locale: Locale, { head, code }: Currency): File {
  const { rows, hasAmounts } = table
  const heads = [...table.heads, ...(hasAmounts ? [head] : [])]
  const lines = rows.map(row => [row.name, ...row.cells.map(({ value }) => value), ...(hasAmounts ? [code] : [])])
  // With this byte order mark, a spreadsheet reads the file as UTF-8.
  const text = `\uFEFF${csvOf([heads, ...lines], dialectOf(locale))}`
  return { name: `${name}.csv`, content: new Blob([text], { type: 'text/csv;charset=utf-8' }) }
}

/** Pixels per unit of the chart. The other sizes are in units: the margin around it, and the space above. */
const [scale, margin, headHeight] = [4, 14, 34]

/**
 * Returns a chart as PNG, with its label and a line about it above. Bars and texts are drawn anew with their styles on the page, as a picture of the
 * SVG itself would lack the portal's fonts.
 */
export async function chartFile(name: string, chart: SVGSVGElement, about: string): Promise<File> {
  await document.fonts.ready
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser draws no pictures')
  const { fontFamily, color } = getComputedStyle(chart)
  const heads = [
    { text: chart.getAttribute('aria-label') ?? '', font: `600 ${12 * scale}px ${fontFamily}`, y: 8 },
    { text: about, font: `400 ${9 * scale}px ${fontFamily}`, y: 21 },
  ]
  const widths = heads.map(({ text, font }) => Object.assign(context, { font }).measureText(text).width)
  const { width, height } = chart.viewBox.baseVal
  canvas.width = Math.ceil(Math.max(width * scale, ...widths) + 2 * margin * scale)
  canvas.height = (height + headHeight + 2 * margin) * scale
  context.fillStyle = getComputedStyle(chart.closest('.bg-sheet') ?? document.body).backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.translate(margin * scale, margin * scale)
  for (const { text, font, y } of heads) Object.assign(context, { font, fillStyle: color }).fillText(text, 0, y * scale)
  context.translate(0, headHeight * scale)
  for (const shape of chart.querySelectorAll('rect, text')) if (getComputedStyle(shape).display !== 'none') draw(context, shape)
  const content = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
  if (!content) throw new Error('the picture is too large')
  return { name: `${name}.png`, content }
}

/** Draws a bar or a text. Sizes are multiplied here, as text in a scaled context would keep the letter spacing of its small size. */
function draw(context: CanvasRenderingContext2D, shape: Element): void {
  const { fill, fontFamily, fontSize, fontWeight } = getComputedStyle(shape)
  context.fillStyle = fill
  const length = ({ baseVal }: SVGAnimatedLength) => baseVal.value * scale
  if (shape instanceof SVGRectElement) {
    context.beginPath()
    context.roundRect(length(shape.x), length(shape.y), length(shape.width), length(shape.height), length(shape.rx))
    context.fill()
  } else if (shape instanceof SVGTextElement) {
    const [x, y] = [shape.x, shape.y].map(({ baseVal }) => (baseVal[0]?.value ?? 0) * scale)
    context.font = `${fontWeight} ${Number.parseFloat(fontSize) * scale}px ${fontFamily}`
    context.textAlign = 'center'
    context.fillText(shape.textContent, x ?? 0, y ?? 0)
  }
}
