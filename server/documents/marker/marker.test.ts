import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import { testConfig, testDatabase, type TestApp, testApp } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { signIn } from '#server/session/testing.ts'
import { aPdf, sendForm } from '#server/tickets/testing.ts'
import { openStore } from '../open-store.ts'
import { type FileStore, markerName } from '../store.ts'
import { type Bucket, openBucket } from './testing.ts'
import { adoptStore, claimStore, stateOf } from './claim.ts'
import { survey, surveyReport } from './survey.ts'

let bucket: Bucket
let folder: string
let database: Database
let app: TestApp | undefined
beforeEach(async () => {
  bucket = await openBucket()
  folder = mkdtempSync(join(tmpdir(), 'portolan-marker-'))
  database = await testDatabase()
  await database.kysely.deleteFrom('file_store').execute()
})
afterEach(async () => {
  await (app ? app.stop() : database.close())
  app = undefined
  bucket.close()
  rmSync(folder, { recursive: true })
})

const storeAt = (setting: string) => openStore(testConfig({ FILE_STORE: setting }))
const marks = () => database.kysely.selectFrom('file_store').select(['id', 'marked']).execute()

describe.each([
  ['folders', (name: string) => `file:${join(folder, name)}`],
  ['buckets', (name: string) => bucket.address.replace('/papers', `/papers/${name}`)],
] as const)('file stores as %s', (_, at) => {
  const store = (name: string) => storeAt(at(name))
  const start = (name: string) => claimStore(database, store(name))

  test('a fresh installation marks its store and accepts it from then on', async () => {
    await start('own')
    const [mark] = await marks()
    expect(mark).toEqual({ id: await store('own').marker(), marked: true })
    await start('own')
    expect(await marks()).toEqual([mark])
  })

  test('nodes that start at the same time agree on one marker', async () => {
    await Promise.all([1, 2, 3].map(() => start('own')))
    expect(await marks()).toEqual([{ id: await store('own').marker(), marked: true }])
  })

  test('one of two nodes with different stores is refused with a hint to adopt', async () => {
    const starts = await Promise.allSettled([start('one'), start('other')])
    expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = starts.find(each => each.status === 'rejected')
    expect(String(refused?.reason)).toMatch(/does not carry this installation's marker.*`npm run files -- adopt`/)
    expect(await store(starts[0]?.status === 'fulfilled' ? 'other' : 'one').marker()).toBeUndefined()
  })

  test('a store of another installation is refused and left unchanged', async () => {
    const other = crypto.randomUUID()
    await store('own').mark(other)
    for (const _ of ['first', 'again']) await expect(start('own')).rejects.toThrow('carries the marker of another installation')
    expect(await store('own').marker()).toBe(other)
  })

  test('a start interrupted before the store was marked is completed by the next', async () => {
    const interrupted = { ...store('own'), mark: () => Promise.reject(new Error('cut off')) }
    await expect(claimStore(database, interrupted)).rejects.toThrow('cut off')
    expect((await marks()).map(({ marked }) => marked)).toEqual([false])
    await start('own')
    expect(await marks()).toEqual([{ id: await store('own').marker(), marked: true }])
  })

  test('a start interrupted after the store was marked is completed by the next', async () => {
    await start('own')
    await database.kysely.updateTable('file_store').set({ marked: false }).execute()
    await start('own')
    expect((await marks()).map(({ marked }) => marked)).toEqual([true])
  })

  test('adopting makes the configured store the only one', async () => {
    await start('own')
    expect(await stateOf(database, store('other'))).toBe('unmarked')
    expect(await adoptStore(database, store('other'))).toBe('adopted')
    await start('other')
    await expect(start('own')).rejects.toThrow('another installation')
    expect([await stateOf(database, store('own')), await adoptStore(database, store('other'))]).toEqual(['foreign', 'own'])
  })

  test('an interrupted adoption can be repeated', async () => {
    await start('own')
    const interrupted = { ...store('other'), mark: () => Promise.reject(new Error('cut off')) }
    await expect(adoptStore(database, interrupted)).rejects.toThrow('cut off')
    await expect(start('own')).rejects.toThrow('another installation')
    await adoptStore(database, store('other'))
    await start('other')
  })

  describe('with files', () => {
    let files: FileStore
    let service: TestApp
    beforeEach(async () => {
      service = await testApp({ FILE_STORE: at('own') })
      app = service
      await database.close()
      database = service.world.database
      files = store('own')
    })

    /** As before an update: the database knows no markers. */
    const beforeMarkers = () => database.kysely.deleteFrom('file_store').execute()
    const upload = async () => {
      const agent = await signIn(service, 'agent@azahar.example')
      return String((await sendForm(service, agent, '/api/tickets/files', {}, [aPdf])).body.data.uuid)
    }
    const unit = async () =>
      (await database.kysely.selectFrom('files').select('business_unit_id').executeTakeFirstOrThrow()).business_unit_id

    test('are accepted unmarked if they include the newest files of the database', async () => {
      await upload()
      await beforeMarkers()
      // The same files without the marker.
      const unmarked = { ...files, marker: () => Promise.resolve(undefined) }
      await claimStore(database, unmarked)
      expect(await marks()).toEqual([{ id: await files.marker(), marked: true }])
    })

    test('are refused unmarked if a newest file is missing', async () => {
      for (let count = 0; count < 3; count++) await upload()
      const id = await upload()
      await files.remove(`${await unit()}/${id}`)
      await beforeMarkers()
      const unmarked = { ...files, marker: () => Promise.resolve(undefined) }
      for (const _ of ['first', 'again'])
        await expect(claimStore(database, unmarked)).rejects.toThrow(/lacks the newest files.*`npm run files -- adopt`/)
    })

    test('are surveyed by kind: present, recreatable and lost, without any name', async () => {
      const seller = await sellerOf(service)
      const document = async () => String((await sendForm(service, seller, '/api/policy/files', {}, [aPdf])).body.data.uuid)
      const [carried, unsold] = [await document(), await document()]
      const sold = (await sellAs(seller, { uploadFile: carried })).body.data
      await service.world.outbox.drain()
      expect(surveyReport(await survey(database, files))).toMatch(/Nothing is lost for good\.$/)
      const types = (await service.ask('/api/tickets/types', { headers: seller.headers })).body.data
      const claim = {
        typeUuid: types.find(({ name }: { name: string }) => name === 'Equipaje').uuid,
        policyNumber: sold.policyData.policyNumber,
        incidentDate: '2026-01-15',
        subject: 'Maleta perdida en Roma',
        description: 'No llegó con el vuelo.',
        contactEmail: 'ana@example.es',
        contactPhone: '+34 612 345 678',
      }
      const { reference } = (await sendForm(service, seller, '/api/tickets/claims', claim, [aPdf])).body.data
      const loose = await upload()
      const everything = await database.kysely.selectFrom('files').select(['business_unit_id', 'content_id']).execute()
      for (const { business_unit_id, content_id } of everything) await files.remove(`${business_unit_id}/${content_id}`)
      const found = await survey(database, files)
      const counts = Object.fromEntries(found.kinds.map(({ kind, ...rest }) => [kind, rest]))
      expect(counts).toEqual({
        certificate: { files: 1, missing: 1, lost: 0 },
        receipt: { files: 1, missing: 1, lost: 0 },
        information: { files: 2, missing: 2, lost: 0 },
        conditions: { files: 2, missing: 2, lost: 0 },
        ticket: { files: 2, missing: 2, lost: 2 },
        upload: { files: 2, missing: 2, lost: 2 },
      })
      const text = surveyReport(found)
      expect(text).toContain(`ticket  azahar  ${reference}  file `)
      expect(text).toContain(`ticket  azahar  no ticket  file ${loose}`)
      expect(text).toContain(`upload  azahar  ${sold.policyData.policyNumber}  file ${carried}`)
      expect(text).toContain(`upload  azahar  not sold  file ${unsold}`)
      expect(text).toMatch(/certificate +1 files +1 missing: 1 made again when asked for/)
      expect(text).not.toMatch(/Factura|Ana|García|example/)
      // The survey changes nothing.
      expect((await survey(database, files)).kinds).toEqual(found.kinds)
    })
  })
})

test('a store that fails or is read-only stops the start with one clear line', async () => {
  bucket.setMode('down')
  await expect(claimStore(database, storeAt(bucket.address))).rejects.toThrow(
    /^The file store s3:\/\/127\.0\.0\.1:\d+\/papers cannot be used \(the file store answered 503: SlowDown\)\. Mend it/,
  )
  const readOnly = { ...storeAt(`file:${folder}`), mark: () => Promise.reject(new Error('EROFS: read-only file system')) }
  await expect(claimStore(database, readOnly)).rejects.toThrow(/cannot be used \(EROFS/)
  await claimStore(database, storeAt(`file:${folder}`))
})

test('a running service says once that its store has lost the marker, and measures it', async () => {
  const lines: string[] = []
  app = await testApp({ FILE_STORE: `file:${folder}`, LOG_LEVEL: 'info' }, { logTo: { write: line => void lines.push(line) } })
  const { world } = app
  const up = async () => /^portolan_file_store_up (\d)$/m.exec(await world.metrics.registry.metrics())?.[1]
  const said = () => lines.filter(line => line.includes('lacks the marker')).length
  expect([await up(), said()]).toEqual(['1', 0])
  const marker = join(folder, markerName)
  renameSync(marker, `${marker} lost`)
  expect([await up(), await up(), said()]).toEqual(['0', '0', 1])
  renameSync(`${marker} lost`, marker)
  expect([await up(), said()]).toEqual(['1', 1])
  // If nothing reads the metrics, the service checks each hour.
  renameSync(marker, `${marker} lost`)
  await app.keepHouse()
  expect(said()).toBe(2)
})
