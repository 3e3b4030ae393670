import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Pictures } from './pictures.ts'

export type Shoot = (name: string) => Promise<void>

/** Returns a function that takes a picture of the page into a folder, once nothing is loading. */
export const shooterOf =
  (page: Page, pictures: Pictures, folder: string, width = 1080): Shoot =>
  async name => {
    await page.locator('html:not(:has([aria-busy=true]))').waitFor()
    await page.mouse.move(0, 0)
    writeFileSync(join(folder, `${name}.webp`), await pictures.webp(await page.screenshot({ animations: 'disabled' }), width))
  }

export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(text)
}

/** Takes pictures of pages of a PDF as `NAME-1.webp`. As a browser cannot do this, it needs pdftoppm. Without that, the old pictures are kept. */
export async function photographDocument(pictures: Pictures, folder: string, pdf: Buffer, pages: number[], name: string): Promise<void> {
  const file = join(folder, 'paper.pdf')
  writeFileSync(file, pdf)
  for (const number of pages) {
    const page = join(folder, `page-${number}`)
    try {
      execFileSync('pdftoppm', ['-r', '70', '-f', String(number), '-l', String(number), '-singlefile', '-png', file, page])
    } catch (error) {
      // Safe: execFileSync throws system errors, which have a code.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    writeFileSync(`${name}-${number}.webp`, await pictures.webp(readFileSync(`${page}.png`), 579))
  }
}
