import { crc32, deflateSync } from 'node:zlib'
import type { Browser } from 'playwright-core'

type Indexed = { width: number; height: number; palette: number[]; pixels: string }

/** Returns the picture with at most 256 colours, at a third of the size. Letters keep their shape; their edges differ invisibly. */
export async function indexedPng(browser: Browser, picture: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const { width, height, palette, pixels } = await page.evaluate<Indexed>(`(${indexInPage})(${JSON.stringify(picture.toString('base64'))})`)
  await page.close()
  const rows = Buffer.from(pixels, 'base64')
  const scanlines = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row++) rows.copy(scanlines, row * (width + 1) + 1, row * width, (row + 1) * width)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits per pixel, which are an index into the palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(scanlines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/**
 * Runs in the page, which decodes the picture. The most frequent colours are kept, then one of each range; the others become the nearest of these.
 */
const indexInPage = `async text => {
  const [frequent, near] = [48, 18]
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + text)).blob())
  const { width, height } = image
  const context = new OffscreenCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const counts = new Map()
  const colourAt = at => data[at] << 16 | data[at + 1] << 8 | data[at + 2]
  for (let at = 0; at < data.length; at += 4) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1)
  const parts = colour => [colour >> 16, colour >> 8 & 255, colour & 255]
  const distance = (one, other) => one.reduce((sum, part, index) => sum + Math.abs(part - other[index]), 0)
  const palette = []
  for (const [colour] of [...counts].sort((one, other) => other[1] - one[1] || one[0] - other[0])) {
    if (palette.length === 256) break
    const own = parts(colour)
    if (palette.length < frequent || palette.every(other => distance(own, other) > near)) palette.push(own)
  }
  const nearest = new Map()
  const indexOf = at => {
    const colour = colourAt(at)
    if (!nearest.has(colour)) {
      const own = parts(colour)
      nearest.set(colour, palette.reduce((best, other, index) => distance(own, other) < distance(own, palette[best]) ? index : best, 0))
    }
    return nearest.get(colour)
  }
  const pixels = new Uint8Array(width * height)
  for (let at = 0; at < data.length; at += 4) pixels[at / 4] = indexOf(at)
  let bytes = ''
  for (let at = 0; at < pixels.length; at += 8192) bytes += String.fromCharCode(...pixels.subarray(at, at + 8192))
  return { width, height, palette: palette.flat(), pixels: btoa(bytes) }
}`
