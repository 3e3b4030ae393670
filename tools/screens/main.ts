import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../open-browser.ts'
import { bin, environment, root, run } from '../processes.ts'
import { fail, step } from '../steps.mjs'
import { photographAfterSale } from './after-sale.ts'
import { withDemo } from './demo.ts'
import { openPictures } from './pictures.ts'
import { photographSale } from './sale.ts'

// `npm run screens` takes the pictures of docs/ anew from the real portal: every screen, a sale step by step, changes after a sale, and the README's
// own.

const taken = join(root, '.cache/screens')
rmSync(taken, { recursive: true, force: true })
mkdirSync(taken, { recursive: true })

/** The number of sheets in docs/screens.md. */
const sheets = 3
const browser = await openBrowser()
const pictures = await openPictures(browser)
await step('Every screen', async () => {
  // With this setting, the end-to-end test that visits every screen saves each one.
  Object.assign(environment, { SCREENS: taken })
  const { code, output } = await run(bin('vitest'), ['run', 'e2e/looks/axe.e2e.ts'])
  if (code !== 0) fail(output.slice(-2000))
})
await step('Contact sheets', async () => {
  const shots = readdirSync(taken).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  const perSheet = Math.ceil(shots.length / sheets)
  for (let sheet = 0; sheet < sheets; sheet++) {
    const own = shots.slice(sheet * perSheet, (sheet + 1) * perSheet).map(name => readFileSync(join(taken, name)))
    writeFileSync(join(root, `docs/screens/${sheet + 1}.webp`), await pictures.sheet(own))
  }
})
const docs = join(root, 'docs')
await withDemo(async demo => {
  await step('A sale', () => photographSale(browser, pictures, demo, docs))
  await step('After a sale', () => photographAfterSale(browser, pictures, demo, join(docs, 'after-sale')))
})
await browser.close()
