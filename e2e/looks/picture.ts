import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { indexedPng } from './indexed-png.ts'

const folder = join(import.meta.dirname, 'pictures')
/** The folder for the pictures of failed comparisons. */
const failed = join(import.meta.dirname, '../../.cache/pictures')

/** The share of pixels that may differ, as machines draw the edges of letters differently. A screen has more pixels than a component. */
const tolerance = 0.002
export const screenTolerance = 0.0005

/** True to store the pictures anew. */
export const isKeepingAnew = process.env['PICTURES'] === 'new'

/**
 * Compares an element or page with its stored picture. `PICTURES=new npm test -- pictures` stores the pictures anew, to be checked before they are
 * committed.
 */
export async function expectPicture(browser: Browser, element: Locator | Page, name: string, most = tolerance): Promise<void> {
  const shoot = () => element.screenshot({ animations: 'disabled', caret: 'hide' })
  const file = join(folder, `${name}.png`)
  if (isKeepingAnew || !existsSync(file)) {
    if (process.env['CI'] && !existsSync(file)) throw new Error(`there is no picture ${name}`)
    keep(file, await indexedPng(browser, await shoot()))
    return
  }
  const expected = readFileSync(file)
  // The last part of a page may still be loading.
  await expect
    .poll(
      async () => {
        const actual = await shoot()
        const difference = await differenceOf(browser, expected, actual)
        if (difference > most) keep(join(failed, `${name}.png`), actual)
        return difference
      },
      { timeout: 30_000, interval: 500, message: `${name}: compare e2e/looks/pictures and .cache/pictures` },
    )
    .toBeLessThanOrEqual(most)
}

function keep(file: string, picture: Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, picture)
}

/** Returns the share of pixels that differ visibly, or 1 if the sizes differ. The browser decodes both. */
async function differenceOf(browser: Browser, expected: Buffer, actual: Buffer): Promise<number> {
  const page = await browser.newPage()
  const pictures = [expected, actual].map(each => each.toString('base64'))
  const share = await page.evaluate<number>(`(${differenceInPage})(${JSON.stringify(pictures)})`)
  await page.close()
  return share
}

const differenceInPage = `async pictures => {
  const [one, other] = await Promise.all(pictures.map(async text => createImageBitmap(await (await fetch('data:image/png;base64,' + text)).blob())))
  if (one.width !== other.width || one.height !== other.height) return 1
  const pixelsOf = image => {
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, image.width, image.height).data
  }
  const [a, b] = [pixelsOf(one), pixelsOf(other)]
  let differing = 0
  for (let at = 0; at < a.length; at += 4)
    if (Math.abs(a[at] - b[at]) + Math.abs(a[at + 1] - b[at + 1]) + Math.abs(a[at + 2] - b[at + 2]) > 48) differing++
  return differing / (a.length / 4)
}`
