import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import { type Database, within } from '#server/kit/database.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { openCatalogue } from './check.ts'
import type { Catalogue } from './files.ts'
import { loadCatalogue, rehearse } from './load.ts'
import { commonContent } from '../queries.ts'

const shipped = join(import.meta.dirname, '../../../catalogue')
const now = new Date('2026-11-20T10:00:00Z')

let database: Database
let catalogue: Catalogue
beforeEach(async () => {
  database = await testDatabase()
  catalogue = existing(openCatalogue(shipped).catalogue)
})
afterEach(() => database.close())

const load = () => database.asService(tx => loadCatalogue(tx, catalogue, now))
const productOf = (code: string) => existing(catalogue.products.find(product => product.code === code))
const essential = stableId('product', 'ESS')
const azahar = stableId('business-unit', 'azahar')

test('loading the same content again creates no version, in any order of names', async () => {
  expect(await load()).toEqual({ changes: [], problems: [] })
  catalogue.products = catalogue.products.map(
    // Safe: the copy has the same fields.
    product => Object.fromEntries(Object.entries(product).toReversed()) as unknown as Catalogue['products'][number],
  )
  expect(await load()).toEqual({ changes: [], problems: [] })
})

test('a changed text creates a new version and keeps the old one', async () => {
  productOf('ESS').description.fr = 'Nouveau texte.'
  expect((await load()).changes).toEqual(['product ESS: version 2'])
  const versions = await database.kysely
    .selectFrom('product_versions')
    .select(['version', 'content'])
    .where('product_id', '=', essential)
    .orderBy('version')
    .execute()
  expect(versions.map(({ version, content }) => [version, content.description.fr])).toEqual([
    [1, 'Voyage unique, assistance et bagages, sans annulation.'],
    [2, 'Nouveau texte.'],
  ])
  expect((await load()).changes).toEqual([])
})

test('a rehearsal reports changes and missing entries, and writes nothing', async () => {
  productOf('ESS').description.fr = 'Nouveau texte.'
  catalogue.products = catalogue.products.filter(({ code }) => code !== 'HOM')
  catalogue.units = catalogue.units.filter(({ key }) => key !== 'rotta')
  const expected = { changes: ['product ESS: version 2'], problems: [], remaining: ['product HOM', 'business unit rotta'] }
  expect(await rehearse(database, catalogue, now)).toEqual(expected)
  expect(await rehearse(database, catalogue, now)).toEqual(expected)
})

test('a text changed back creates a version of its own', async () => {
  const before = productOf('ESS').description.fr
  productOf('ESS').description.fr = 'Nouveau texte.'
  await load()
  productOf('ESS').description.fr = before
  expect((await load()).changes).toEqual(['product ESS: version 3'])
})

test('changed figures under the same tariff version refuse the whole load', async () => {
  const { tariff } = productOf('SNO')
  if (tariff.base.kind === 'perDay') tariff.base.net['Z1'] = 391
  productOf('ESS').icon = 'plane'
  const refused = await load()
  expect(refused).toEqual({
    changes: [],
    problems: [
      {
        file: 'products/SNO.json',
        path: 'tariff.version',
        problem: '2026-11.1 is loaded already with other figures; expected a new version for the new figures',
      },
    ],
  })
  tariff.version = '2027-01'
  expect((await load()).changes).toEqual(['product ESS: version 2', 'product SNO: version 2', 'product SNO: tariff 2027-01'])
  const tariffs = await database.kysely
    .selectFrom('tariffs')
    .select(['version', 'content'])
    .where('product_id', '=', stableId('product', 'SNO'))
    .orderBy('version')
    .execute()
  expect(tariffs.map(({ version, content }) => [version, content.base])).toEqual([
    ['2026-11.1', expect.objectContaining({ net: expect.objectContaining({ Z1: 390 }) })],
    ['2027-01', expect.objectContaining({ net: expect.objectContaining({ Z1: 391 }) })],
  ])
})

test('zones, taxes, texts and documents share one version', async () => {
  catalogue.zones.excludedCountries.push(850)
  expect((await load()).changes).toEqual(['insurer, zones, taxes, texts, documents and tickets: version 2'])
})

test('a load between two queries never pairs content with another hash', async () => {
  catalogue.zones.excludedCountries.push(850)
  await load()
  const [hash, content] = await database.asService(async tx => {
    let queries = 0
    const interrupted = tx.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        queries += 1
        catalogue.zones.excludedCountries.push(630)
        if (queries === 1) await loadCatalogue(tx, catalogue, now)
        return result
      },
    })
    const read = await commonContent(within(interrupted, demoScope('azahar')))
    return [read.hash, read.content]
  })
  const stored = await database.kysely.selectFrom('catalogue_versions').select('content').where('hash', '=', hash).executeTakeFirstOrThrow()
  expect(content).toEqual(stored.content)
})

test('a unit sells the products that state a commission for it', async () => {
  productOf('ESS').commissionPercent = { azahar: 29 }
  expect((await load()).changes).toEqual(['azahar sells ESS at 29 % commission', 'rotta no longer sells ESS'])
  productOf('ESS').commissionPercent = { azahar: 29, rotta: 25 }
  expect((await load()).changes).toEqual(['rotta sells ESS at 25 % commission'])
  expect((await load()).changes).toEqual([])
})

test('a unit’s settings are updated, except those that the agency may change', async () => {
  const [unit] = catalogue.units
  Object.assign(unit ?? {}, { accent: '#333333', gateways: ['Deferred'], contactInfo: { email: 'new@azahar.example', phone: '1' } })
  expect((await load()).changes).toEqual(['business unit azahar: accent changed', 'business unit azahar: may no longer use StripeV2'])
  const { settings } = await database.kysely
    .selectFrom('business_units')
    .select('settings')
    .where('id', '=', azahar)
    .executeTakeFirstOrThrow()
  expect(settings).toMatchObject({ accent: '#333333', contactInfo: { email: 'hola@azahar.example' } })
  Object.assign(unit ?? {}, { gateways: ['Deferred', 'StripeV2'] })
  expect((await load()).changes).toEqual(['business unit azahar: may use StripeV2'])
})

test('new units and products are added to the existing ones', async () => {
  const [unit] = catalogue.units
  catalogue.units = [{ ...existing(unit), key: 'brisa', brandName: 'Brisa' }]
  catalogue.products = [{ ...productOf('ESS'), code: 'NEW', id: 9, commissionPercent: { brisa: 10 } }]
  expect((await load()).changes).toEqual([
    'business unit brisa: new',
    'business unit brisa: may use Deferred',
    'business unit brisa: may use StripeV2',
    'product NEW: version 1',
    'product NEW: tariff 2026-11.1',
    'brisa sells NEW at 10 % commission',
  ])
  expect(await database.kysely.selectFrom('products').select('code').execute()).toHaveLength(9)
})
