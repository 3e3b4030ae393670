import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { openCatalogue } from '#server/products/catalogue/check.ts'
import { loadCatalogue } from '#server/products/catalogue/load.ts'
import { admin } from '../testing.ts'
import { compare } from './compare.ts'

describe('the comparison of two contents', () => {
  test.each([
    [{ a: 1 }, { a: 1 }, []],
    [
      { a: 1 },
      { a: 2, b: 3 },
      [
        ['a', '1', '2'],
        ['b', null, '3'],
      ],
    ],
    [
      [
        { code: 'x', v: 1 },
        { code: 'y', v: 2 },
      ],
      [
        { code: 'n', v: 0 },
        { code: 'x', v: 1 },
        { code: 'y', v: 5 },
      ],
      [
        ['[y].v', '2', '5'],
        ['[n]', null, '{"code":"n","v":0}'],
      ],
    ],
    [
      [1, 2],
      [1, 3, 4],
      [
        ['[1]', '2', '3'],
        ['[2]', null, '4'],
      ],
    ],
    [{ a: { b: null } }, { a: {} }, []],
    [{ a: [] }, { a: {} }, [['a', '[]', '{}']]],
  ])('finds the differences of %j and %j', (before, after, expected) => {
    expect(compare(before, after).map(({ path, before: one, after: other }) => [path, one, other])).toEqual(expected)
  })
})

describe('the list of catalogue versions', () => {
  let app: TestApp
  let ask: Awaited<ReturnType<typeof admin>>
  beforeAll(async () => {
    app = await testApp()
    ask = await admin(app)
  })
  afterAll(() => app.stop())
  const loads = async () => (await ask.get('catalogue')).body.data.loads

  test('shows each load, marks current versions, and compares with the one before', async () => {
    const [first, ...none] = await loads()
    expect(none).toEqual([])
    expect(first.versions.filter(({ kind }: { kind: string }) => kind === 'product')).toHaveLength(8)
    expect(first.versions.every(({ current }: { current: boolean }) => current)).toBe(true)

    const { catalogue } = openCatalogue(`${import.meta.dirname}/../../../catalogue`)
    if (!catalogue) throw new Error('no catalogue')
    const [product] = catalogue.products
    if (!product) throw new Error('no product')
    const name = { ...product.name, en: 'Another name' }
    const later = { ...catalogue, products: catalogue.products.map(each => (each === product ? { ...product, name } : each)) }
    await app.world.database.asService(tx => loadCatalogue(tx, later, new Date(Date.now() + 60_000)))

    const [second, before] = await loads()
    expect(second.versions).toMatchObject([{ kind: 'product', code: product.code, version: '2', current: true }])
    expect(
      before.versions.find(({ kind, code }: { kind: string; code: string }) => kind === 'product' && code === product.code).current,
    ).toBe(false)
    const { productUuid } = second.versions[0]
    const changes = await ask.get(`catalogue/changes?kind=product&version=2&productUuid=${productUuid}`)
    expect(changes.body.data).toEqual({
      before: '1',
      total: 1,
      changes: [{ path: 'name.en', before: product.name.en, after: 'Another name' }],
    })
    expect((await ask.get(`catalogue/changes?kind=product&version=1&productUuid=${productUuid}`)).body.data).toEqual({
      before: null,
      total: 0,
      changes: [],
    })
    expect((await ask.get(`catalogue/changes?kind=product&version=9&productUuid=${productUuid}`)).status).toBe(404)
    expect((await ask.get('catalogue/changes?kind=tariff&version=1')).status).toBe(404)
  })
})
