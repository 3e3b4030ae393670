import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, within } from '#server/kit/database.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { scopeOf } from '#server/session/scope.ts'
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
  catalogue = openCatalogue(shipped).catalogue as Catalogue
})
afterEach(() => database.close())

const load = () => database.asService(tx => loadCatalogue(tx, catalogue, now))
const productOf = (code: string) => catalogue.products.find(product => product.code === code) as Catalogue['products'][number]
const essential = stableId('product', 'ESS')
const azahar = stableId('business-unit', 'azahar')

test('what is loaded already makes no new version, whatever the order of its names', async () => {
  expect(await load()).toEqual({ changes: [], faults: [] })
  catalogue.products = catalogue.products.map(
    product => Object.fromEntries(Object.entries(product).toReversed()) as unknown as Catalogue['products'][number],
  )
  expect(await load()).toEqual({ changes: [], faults: [] })
})

test('a new text makes a new version, and the old one stays with what was sold', async () => {
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

test('a rehearsal tells what a load would, and what the folder no longer has, and leaves nothing', async () => {
  productOf('ESS').description.fr = 'Nouveau texte.'
  catalogue.products = catalogue.products.filter(({ code }) => code !== 'HOM')
  catalogue.units = catalogue.units.filter(({ key }) => key !== 'rotta')
  const told = { changes: ['product ESS: version 2'], faults: [], left: ['product HOM', 'business unit rotta'] }
  expect(await rehearse(database, catalogue, now)).toEqual(told)
  expect(await rehearse(database, catalogue, now)).toEqual(told)
})

test('going back to an earlier text is a version of its own', async () => {
  const before = productOf('ESS').description.fr
  productOf('ESS').description.fr = 'Nouveau texte.'
  await load()
  productOf('ESS').description.fr = before
  expect((await load()).changes).toEqual(['product ESS: version 3'])
})

test('other figures want another tariff version, and until then nothing at all is loaded', async () => {
  const { tariff } = productOf('SNO')
  if (tariff.base.kind === 'perDay') tariff.base.net['Z1'] = 391
  productOf('ESS').icon = 'plane'
  const refused = await load()
  expect(refused).toEqual({
    changes: [],
    faults: [
      {
        file: 'products/SNO.json',
        path: 'tariff.version',
        fault: '2026-11 is loaded already with other figures; expected a new version for the new figures',
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
    ['2026-11', expect.objectContaining({ net: expect.objectContaining({ Z1: 390 }) })],
    ['2027-01', expect.objectContaining({ net: expect.objectContaining({ Z1: 391 }) })],
  ])
})

test('zones, taxes, texts and documents have a version together', async () => {
  catalogue.zones.excludedCountries.push(850)
  expect((await load()).changes).toEqual(['insurer, zones, taxes, texts, documents and tickets: version 2'])
})

test('a version that comes between two looks leaves no content under another’s name', async () => {
  catalogue.zones.excludedCountries.push(850)
  await load()
  const [hash, content] = await database.asService(async tx => {
    let looks = 0
    const disturbed = tx.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        looks += 1
        catalogue.zones.excludedCountries.push(630)
        if (looks === 1) await loadCatalogue(tx, catalogue, now)
        return result
      },
    })
    const read = await commonContent(within(disturbed, scopeOf(stableId('business-unit', 'azahar'))))
    return [read.hash, read.content]
  })
  const kept = await database.kysely.selectFrom('catalogue_versions').select('content').where('hash', '=', hash).executeTakeFirstOrThrow()
  expect(content).toEqual(kept.content)
})

test('a unit sells what a commission is stated for', async () => {
  productOf('ESS').commissionPercent = { azahar: 29 }
  expect((await load()).changes).toEqual(['azahar sells ESS at 29 % commission', 'rotta no longer sells ESS'])
  productOf('ESS').commissionPercent = { azahar: 29, rotta: 25 }
  expect((await load()).changes).toEqual(['rotta sells ESS at 25 % commission'])
  expect((await load()).changes).toEqual([])
})

test('a unit takes over the catalogue’s facts and keeps what the agency may change itself', async () => {
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

test('a new unit and a new product come in beside those that are there', async () => {
  const [unit] = catalogue.units
  catalogue.units = [{ ...(unit as Catalogue['units'][number]), key: 'brisa', brandName: 'Brisa' }]
  catalogue.products = [{ ...productOf('ESS'), code: 'NEW', id: 9, commissionPercent: { brisa: 10 } }]
  expect((await load()).changes).toEqual([
    'business unit brisa: new',
    'business unit brisa: may use Deferred',
    'business unit brisa: may use StripeV2',
    'product NEW: version 1',
    'product NEW: tariff 2026-11',
    'brisa sells NEW at 10 % commission',
  ])
  expect(await database.kysely.selectFrom('products').select('code').execute()).toHaveLength(9)
})
