import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkCode } from '#server/documents/papers/check.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { scopeOf } from '#server/session/scope.ts'
import { accessibilityOf, openPortal, type Portal } from './browser.ts'

// Whoever holds a certificate confirms it, by its picture or by typing, and never signs in.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  const { database } = portal.app.world
  const unit = await database.kysely.selectFrom('business_units').select('id').where('key', '=', 'azahar').executeTakeFirstOrThrow()
  await seedPolicies(database, scopeOf(unit.id), { many: 20, seed: 5, now: new Date(), show: () => undefined })
})
afterAll(() => portal.stop())

test('a certificate is confirmed on a phone, in the holder’s language', async () => {
  const policy = await portal.app.world.database.kysely
    .selectFrom('policies')
    .select(['id', 'number'])
    .where('status', '=', 'purchased')
    .executeTakeFirstOrThrow()
  const number = policy.number ?? ''
  const walker = await portal.walk({ chosen: 'pt-PT', width: 390 })
  const { page } = walker
  await page.goto(`/verify?${new URLSearchParams({ number, code: checkCode({ id: policy.id, number }) })}`)
  await page.getByText(`A apólice ${number} é autêntica`).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.getByLabel('Código de controlo').fill('AAAAA-AAAAA')
  await page.keyboard.press('Enter')
  await page.getByText('Não há nenhum certificado').waitFor()
  expect(walker.complaints).toEqual([])
  await walker.stop()
})
