import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { largestPage } from '#common/kit/call.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { admin } from './testing.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app.stop())

test('every list accepts page numbers up to the largest one', () => {
  const paged = app.context.served.flatMap(({ path, request }) => {
    const page = z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' }).properties?.['page']
    return page ? [{ path, page }] : []
  })
  expect(paged.length).toBeGreaterThan(7)
  for (const { path, page } of paged) expect(page, path).toMatchObject({ minimum: 1, maximum: largestPage })
})

test('a page far beyond the last one is empty and names the last one', async () => {
  const ask = await admin(app)
  const { body } = await ask.post('units/list', { page: largestPage, perPage: 20 })
  expect(body.data).toMatchObject({ units: [], totalPages: 1, page: largestPage })
  expect(body.data.total).toBeGreaterThan(0)
})
