import type { Browser } from 'playwright-core'

export type Pictures = {
  /** Returns the picture as WebP with that width. */
  webp(picture: Buffer, width: number): Promise<Buffer>
  /** Returns one WebP with all pictures in rows of four. */
  sheet(pictures: Buffer[]): Promise<Buffer>
}

type Drawing = { pictures: string[]; columns: number; width: number; gap: number }

/** Opens a blank page of the browser, which can draw and encode pictures. */
export async function openPictures(browser: Browser): Promise<Pictures> {
  const page = await browser.newPage()
  const draw = async (drawing: Drawing): Promise<Buffer> => {
    const encoded = await page.evaluate<string>(`(${drawInPage})(${JSON.stringify(drawing)})`)
    return Buffer.from(encoded, 'base64')
  }
  const texts = (all: Buffer[]): string[] => all.map(each => each.toString('base64'))
  return {
    webp: (picture, width) => draw({ pictures: texts([picture]), columns: 1, width, gap: 0 }),
    sheet: all => draw({ pictures: texts(all), columns: 4, width: 480, gap: 12 }),
  }
}

/** Runs in the page. Draws the pictures in a grid and returns the WebP in base64. */
const drawInPage = `async ({ pictures, columns, width, gap }) => {
  const images = await Promise.all(pictures.map(async text => createImageBitmap(await (await fetch('data:image/png;base64,' + text)).blob())))
  const heightOf = image => Math.round(image.height * width / image.width)
  const rows = []
  for (let at = 0; at < images.length; at += columns) rows.push(images.slice(at, at + columns))
  const heights = rows.map(row => Math.max(...row.map(heightOf)))
  const canvas = new OffscreenCanvas(columns * width + (columns - 1) * gap, heights.reduce((sum, height) => sum + height, 0) + (rows.length - 1) * gap)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.fillStyle = '#d6d3d1'
  context.fillRect(0, 0, canvas.width, canvas.height)
  let top = 0
  rows.forEach((row, index) => {
    row.forEach((image, column) => context.drawImage(image, column * (width + gap), top, width, heightOf(image)))
    top += heights[index] + gap
  })
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })).arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}`
