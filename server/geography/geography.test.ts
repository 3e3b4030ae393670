import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { readFolder } from './import-files.ts'
import { savePlaces, setEdition } from './queries.ts'
import { seedGeography } from './seed.ts'

type Place = { id: number; name: string; zipCode: string; zipCodes: string[]; state: string }

describe('the geography calls', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp()
  })
  afterAll(() => app.stop())

  const content = async (path: string): Promise<Place[]> => (await app.ask(path)).body.content

  test.each(locales)('list all countries with their numeric ids, in %s', async locale => {
    const countries = await content(`/geo/countries?locale=${locale}`)
    expect(countries).toHaveLength(249)
    expect(new Set(countries.map(({ id }) => id)).size).toBe(249)
    const name = { 'en-EN': 'Germany', 'es-ES': 'Alemania', 'fr-FR': 'Allemagne', 'it-IT': 'Germania', 'pt-PT': 'Alemanha' }[locale]
    expect(countries.find(({ id }) => id === 276)).toEqual({ id: 276, alpha2: 'DE', name })
  })

  test('list Italy’s provinces, and their cities with postal codes', { tags: ['S3.14', 'S7.20'] }, async () => {
    const { status, body } = await app.ask('/geo/countries/states/380')
    expect([status, body.success]).toEqual([200, true])
    const provinces = body.content
    expect(provinces.length).toBeGreaterThan(100)
    expect(provinces.filter(({ id }: { id: number }) => Math.floor(id / 1000) !== 380)).toEqual([])
    expect(provinces).toContainEqual({ id: 380010, name: 'Genova', code: 'GE' })
    expect(await content('/geo/countries/cities/380010')).toContainEqual({
      id: 380010001,
      name: 'Arenzano',
      zipCode: '16011',
      zipCodes: ['16011'],
    })
  })

  test('number provinces and departments as Spain and France do, with ISO 3166-2 codes', async () => {
    expect(await content('/geo/countries/states/724')).toContainEqual({ id: 724046, name: 'Valencia', code: 'V' })
    expect(await content('/geo/countries/cities/724046')).toContainEqual(expect.objectContaining({ id: 724046250, name: 'València' }))
    expect(await content('/geo/countries/states/250')).toContainEqual({ id: 250201, name: 'Corse-du-Sud', code: '2A' })
    expect(await content('/geo/countries/cities/250006')).toContainEqual({
      id: 250006088,
      name: 'Nice',
      zipCode: '06000',
      zipCodes: ['06000', '06100', '06200', '06300'],
    })
  })

  test('fill the postal codes of cities of Spain, Portugal and Great Britain', { tags: 'S4.8' }, async () => {
    const cityOf = async (state: number, name: string) => (await content(`/geo/countries/cities/${state}`)).find(city => city.name === name)
    expect(await cityOf(724012, 'Peníscola/Peñíscola')).toMatchObject({ zipCode: '12598', zipCodes: ['12598'] })
    const madrid = await cityOf(724028, 'Madrid')
    expect(madrid).toMatchObject({ zipCode: '28001', zipCodes: expect.arrayContaining(['28014']) })
    expect(madrid?.zipCodes.length).toBeGreaterThan(50)
    expect(await cityOf(620001, 'Aveiro')).toMatchObject({ zipCode: '3810-001' })
    expect(await cityOf(826048, 'London')).toMatchObject({ zipCode: 'E1W' })
    const spanish = (await content('/geo/countries/states/724')).map(({ id }) => content(`/geo/countries/cities/${id}`))
    const cities = (await Promise.all(spanish)).flat()
    expect([cities.length, cities.filter(({ zipCode }) => !zipCode)]).toEqual([8132, []])
  })

  test.each([
    [724, '28014', [['Madrid', 'Madrid']]],
    [724, '44166', [['Rubielos de la Cérida', 'Teruel']]],
    [620, '3750-099', [['Águeda', 'Aveiro']]],
    [620, '3750-123', [['Águeda', 'Aveiro']]],
    [380, '16011', [['Arenzano', 'Genova']]],
    [380, '00184', [['Roma', 'Roma']]],
    [380, '65125', [['Pescara', 'Pescara']]],
    [380, '11100', [['Aosta', 'Valle d’Aosta']]],
    [724, '00000', []],
  ])('find the cities of country %i with the postal code %s', async (country, code, cities) => {
    const found = await content(`/geo/countries/postal-codes/${country}/${code}`)
    expect(found.map(({ name, state }) => [name, state])).toEqual(cities)
  })

  test('list at least one state for every country', { tags: 'S7.20' }, async () => {
    for (const { id } of await content('/geo/countries'))
      expect((await content(`/geo/countries/states/${id}`)).length, String(id)).toBeGreaterThan(0)
  })

  test.each([
    '/geo/countries/states/999',
    '/geo/countries/states/abc',
    '/geo/countries/states/0',
    '/geo/countries/states/380.0',
    '/geo/countries/cities/1',
    '/geo/countries/postal-codes/999/28001',
    '/geo/countries/cities/99999999999',
  ])('return 404 without success for %s', { tags: 'S8.10' }, async path => {
    const reply = await app.ask(path)
    expect([reply.status, reply.body.success]).toEqual([404, false])
  })

  test('send replies that are cacheable for a day and compressed as requested', async () => {
    const path = '/geo/countries/states/380'
    const plain = await app.ask(path)
    expect(plain.headers['cache-control']).toBe('public, max-age=86400')
    expect((await app.ask(path, { headers: { 'if-none-match': String(plain.headers['etag']) } })).status).toBe(304)
    const packed = async (coding: string) => app.context.http.inject({ url: path, headers: { 'accept-encoding': coding } })
    const weak = { 'if-none-match': `"other", W/${plain.headers['etag']}` }
    expect((await app.ask(path, { headers: weak })).status).toBe(304)
    expect((await app.ask(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    expect(brotliDecompressSync((await packed('gzip, br')).rawPayload).toString()).toBe(plain.text)
    expect(gunzipSync((await packed('gzip, br;q=0')).rawPayload).toString()).toBe(plain.text)
    expect((await packed('identity')).headers['content-encoding']).toBeUndefined()
  })
})

describe('a geography import', () => {
  let app: TestApp
  let folder: string
  beforeEach(async () => {
    app = await testApp()
    folder = mkdtempSync(join(tmpdir(), 'geography-'))
  })
  afterEach(async () => {
    await app.stop()
    rmSync(folder, { recursive: true })
  })

  const write = (name: string, lines: string[]) =>
    writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(lines.join('\n')) : lines.join('\n'))
  const known = (countryId: number) =>
    app.world.database.kysely
      .selectFrom('geo_states')
      .select(['id', 'code', 'name', 'cities'])
      .where('country_id', '=', countryId)
      .orderBy('id')
      .execute()
  const read = () => readFolder(folder, known, () => {})
  const save = async () => {
    const { places, badLines } = await read()
    expect(badLines).toEqual([])
    return app.world.database.asService(tx => savePlaces(tx, places, 'test', new Date()))
  }

  test('reads our own tables, compressed or not, and changes nothing a second time', async () => {
    write('states.tsv', ['id\tcountryId\tiso\tcode\tname', '20001\t20\tAD-02\t02\tCanillo', '20002\t20\tAD-07\t07\tAndorra la Vella'])
    write('cities-other.tsv.gz', [
      'id\tstateId\tname\tzipCode\totherZipCodes',
      '20000001\t20001\tSoldeu\tAD100\tAD101 AD102',
      '20000002\t20002\tAndorra la Vella\tAD500\t',
    ])
    expect(await save()).toMatchObject([{ countryId: 20, states: { added: 0, removed: 5 }, cities: { added: 2 } }])
    expect(await save()).toEqual([])
    const rows = await known(20)
    expect(rows.map(({ name }) => name)).toEqual(['Canillo', 'Andorra la Vella'])
    expect(rows[0]?.cities).toEqual([[20000001, 'Soldeu', ['AD100', 'AD101', 'AD102']]])
  })

  test('leaves the cities as they are if it holds states alone', async () => {
    const before = await known(380)
    write(
      'states.tsv',
      before.map(({ id, code, name }) => `${id}\t380\tIT-${code}\t${code}\t${id === 380010 ? 'Genova!' : name}`),
    )
    expect(await save()).toEqual([
      { countryId: 380, states: { added: 0, changed: 1, removed: 0 }, cities: { added: 0, changed: 0, removed: 0 } },
    ])
  })

  test('finds the states of a GeoNames dump by code or name, and keeps ids', async () => {
    const line = (zip: string, place: string, name1: string, code1: string) =>
      `PT\t${zip}\t${place}\t${name1}\t${code1}\tX\t0101\t\t\t40.5\t-8.4\t4`
    write('PT.txt', [
      line('3800-001', 'Aveiro', 'Aveiro', '01'),
      line('3800-002', 'Aveiro', 'Aveiro', '01'),
      line('9000-001', 'Funchal', 'Madeira', '99'),
    ])
    await save()
    const states = await known(620)
    expect(states.find(({ name }) => name === 'Aveiro')?.cities).toEqual([[620000105, 'Aveiro', ['3800-001', '3800-002']]])
    expect(states.find(({ name }) => name === 'Madeira')?.cities).toEqual([[620004902, 'Funchal', ['9000-001']]])
    expect(await save()).toEqual([])
  })

  test('keeps the number of a place when a later dump adds others before it', async () => {
    const line = (zip: string, place: string) => ['LI', zip, place, 'Vaduz', 'LI-11', '', '', '', '', '47.1', '9.5', '4'].join('\t')
    write('LI.txt', [line('9490', 'Vaduz')])
    await save()
    const numbers = async () => Object.fromEntries((await known(438)).flatMap(({ cities }) => cities.map(([id, name]) => [name, id])))
    const before = await numbers()
    write('LI.txt', [line('9495', 'Ebenholz'), line('9490', 'Vaduz')])
    expect(await save()).toMatchObject([{ countryId: 438, cities: { added: 1, changed: 0, removed: 0 } }])
    expect(await numbers()).toEqual({ ...before, Ebenholz: (before['Vaduz'] ?? 0) + 1 })
  })

  test('gives lists in the order of the caller’s language', async () => {
    write('states.tsv', ['20001\t20\tAD-02\t02\tCanillo'])
    write('cities-AD.tsv', ['20000001\t20001\tÑora\tAD100\t', '20000002\t20001\tNz\tAD101\t'])
    await save()
    const names = async (locale: string) =>
      (await app.ask(`/geo/countries/cities/20001?locale=${locale}`)).body.content.map(({ name }: { name: string }) => name)
    expect([await names('es-ES'), await names('fr-FR')]).toEqual([
      ['Nz', 'Ñora'],
      ['Ñora', 'Nz'],
    ])
  })

  test('is served by every node five seconds later', async () => {
    let elapsed = 0
    const node = await testApp({}, { elapsed: () => elapsed })
    const names = async () => (await node.ask('/geo/countries/states/20')).body.content.map(({ name }: { name: string }) => name)
    expect(await names()).toContain('Encamp')
    write('states.tsv', ['20001\t20\tAD-02\t02\tCanillo'])
    const { places } = await read()
    await node.world.database.asService(tx => savePlaces(tx, places, 'test', new Date()))
    elapsed = 5_000
    expect(await names()).toContain('Encamp')
    elapsed = 5_001
    expect(await names()).toEqual(['Canillo'])
    await node.stop()
  })

  test('stays when an update brings places, which fill countries without postal codes', async () => {
    write('states.tsv', ['620001\t620\tPT-01\t01\tAveiro', '724028\t724\tES-M\t28\tMadrid'])
    write('cities-XX.tsv', ['620000105\t620001\tAveiro\t3800-001\t', '724028079\t724028\tMadrid\t\t'])
    await save()
    expect(await seedGeography(app.world.database)).toBe(false)
    await app.world.database.asService(tx => setEdition(tx, 0))
    expect(await seedGeography(app.world.database)).toBe(true)
    const portugal = (await known(620)).flatMap(({ cities }) => cities)
    expect(portugal).toEqual([[620000105, 'Aveiro', ['3800-001']]])
    const spain = await known(724)
    expect([spain.length, spain.flatMap(({ cities }) => cities).every(([, , zipCodes]) => zipCodes.length > 0)]).toEqual([52, true])
    expect(await seedGeography(app.world.database)).toBe(false)
  })

  test('names a number that is duplicate or outside its country', async () => {
    write('states.tsv', ['20001\t20\tAD-02\t02\tCanillo', '20001\t20\tAD-03\t03\tEncamp', '21001\t20\tAD-04\t04\tOrdino'])
    write('cities-AD.tsv', ['20000001\t20001\tSoldeu\tAD100\t', '20000001\t20001\tTarter\tAD101\t'])
    expect((await read()).badLines.map(({ file, line }) => `${file} ${line}`)).toEqual(['states.tsv 2', 'states.tsv 3', 'cities-AD.tsv 2'])
  })

  test('names bad lines by file and line number', async () => {
    write('states.tsv', ['id\tcountryId\tiso\tcode\tname', 'x\t20\tAD-02\t02\tCanillo'])
    write('cities-XX.tsv', ['20000001\t20999\tSoldeu\tAD100\t', '20000001\t20001'])
    write('PT.txt', ['ES\t1\t2'])
    const { badLines } = await read()
    expect(badLines.map(({ file, line }) => `${file} ${line}`)).toEqual(['states.tsv 2', 'cities-XX.tsv 1', 'cities-XX.tsv 2', 'PT.txt 1'])
  })
})
