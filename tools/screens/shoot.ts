import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Pictures } from './pictures.ts'

export type Shoot = (name: string) => Promise<void>

/** Returns what takes a picture of the page, once nothing on it is loading, into a folder. */
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

/** Takes pictures of pages of a PDF as `NAME-1.webp`. A browser draws none into a picture, so this needs pdftoppm. Without it they stay as they are. */
export async function photographPaper(pictures: Pictures, folder: string, pdf: Buffer, pages: number[], name: string): Promise<void> {
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
