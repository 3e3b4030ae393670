import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcess } from '#server/kit/testing.ts'
import { leo, sellAs, sellerOf } from '#server/policies/testing.ts'
import { leaveTraces, xenia } from '#server/privacy/testing.ts'
import { enter, openPortal, type Portal } from '../browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'privacy-'))
let portal: Portal
beforeAll(async () => {
  portal = await openPortal({ SUPPRESSION_FILE: join(folder, 'suppressed.jsonl') })
  const app = inProcess(portal.app)
  const seller = await sellerOf(app)
  await leaveTraces(app, seller)
  await sellAs(seller, { users: [anyone, leo] })
})
afterAll(async () => {
  await portal.stop()
  rmSync(folder, { recursive: true })
})

/** A similar person whose data is kept, for requests without an erasure. */
const anyone = { ...xenia, docNumber: '11223344B', birthDate: '1952-04-10', email: 'otra.xenia@correo.example' }

test.each([1440, 820, 390])('its parts fit a screen of %i pixels', async width => {
  const user = await portal.newUser({ chosen: 'fr-FR', width })
  const { page } = user
  await enter(user, 'admin@portolan.example', '/administration?tab=privacy')
  for (const part of ['people', 'requests', 'holds', 'retention', 'record']) {
    await page.goto(`/administration?tab=privacy&part=${part}`)
    await page.locator('#main [role=tabpanel] [role=tabpanel]').waitFor()
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: part })
      .toBeLessThanOrEqual(0)
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/${part}-${width}.png`, fullPage: true })
  }
  await user.stop()
})
