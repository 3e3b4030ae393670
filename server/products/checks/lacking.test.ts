import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openApp } from '#server/app.ts'
import { inProcess, testConfig, testDatabase } from '#server/kit/testing.ts'
import type { Database } from '#server/kit/database.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { lackingInCatalogue } from './lacking.ts'

// A service that is not the demo does not load a catalogue by itself: after an update it has that of the older version.

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})

/** Opens the service without the demo, and returns what its log says of the catalogue. */
async function opened() {
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const app = inProcess(await openApp({ ...testConfig({ LOG_LEVEL: 'warn' }), demo: false }, database, { logTo }))
  onTestFinished(() => app.stop())
  return { app, warnings: lines.filter(line => line.includes('the catalogue lacks')).map(line => JSON.parse(line).lacks) }
}

test('an older version’s catalogue is reported at the start and by later refusals', async () => {
  expect(await lackingInCatalogue(database)).toEqual([])
  await database.asService(async tx => {
    await sql`update catalogue_versions set content = content - 'afterSale', hash = 'old'`.execute(tx)
    await sql`update product_versions set content = content - 'servicing' #- '{settings,insures}', hash = hash || '-old'`.execute(tx)
    await sql`update catalogue_versions set content = content #- '{insurer,legalName}'`.execute(tx)
  })
  const { app, warnings } = await opened()
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toEqual(
    expect.arrayContaining([
      'after-sale.json',
      'insurer.json: legalName',
      'products/ESS.json: servicing',
      'products/ESS.json: settings.insures',
    ]),
  )

  const seller = await sellerOf(app)
  const { policyUuid } = (await sellAs(seller)).body.data.policyData
  const asked = { policyUuid, version: 1, change: { endDate: '2027-01-01' } }
  const refused = await app.ask('/api/policy/change/preview', { body: asked, headers: seller.headers })
  expect([refused.status, refused.body.error]).toEqual([409, 'catalogue.lacks'])
  expect(refused.body.errorMessage).toContain('after-sale.json, products/ESS.json: servicing')
})
