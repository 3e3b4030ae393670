import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchable } from '#common/kit/text.ts'
import { migrate } from '#server/database/migrate.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, leo, reach, type Seller, sellAs, sellerOf } from '../testing.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

/** Returns the names of a policy as they are sorted and searched. */
const namesOf = (id: string) =>
  app.world.database.asService(async tx => [
    ...(await tx.selectFrom('policy_people').select(['given_sort', 'name_sort']).where('policy_id', '=', id).orderBy('position').execute()),
    ...(await tx.selectFrom('policies').select(['taker_sort', 'reference_sort', 'search']).where('id', '=', id).execute()),
  ])

/** Writes names as an older version stored them: with invisible letters inside, and with some that stand alone. */
const storeWith = (id: string, unseen: string) =>
  app.world.database.asService(async tx => {
    await sql`set local role portolan_privacy`.execute(tx)
    const [inside, alone] = [`gar${unseen}cia`, `${unseen} garcia`]
    await sql`update policy_people set given_sort = replace(given_sort, 'garcia', ${inside}), name_sort = replace(name_sort, 'garcia', ${alone})
      where policy_id = ${id}`.execute(tx)
    await sql`update policies set taker_sort = replace(taker_sort, 'garcia', ${alone}), reference_sort = reference_sort || ${unseen}::text,
      search = replace(search, 'garcia', ${inside}) where id = ${id}`.execute(tx)
  })

/** Matches the invisible letters that are left out, except marks, which always were. */
const isUnseen = (code: number): boolean => {
  if (code < 0) return false
  const letter = String.fromCodePoint(code)
  return /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(letter) && !/\p{M}/u.test(letter)
}
/** The first and the last invisible letter of each range. */
const unseen = Array.from({ length: 0x10_ff_ff }, (_, code) => code)
  .filter(code => isUnseen(code) && !(isUnseen(code - 1) && isUnseen(code + 1)))
  .map(code => String.fromCodePoint(code))

test('after the update, names with invisible letters equal those without', async () => {
  const { policyUuid: id } = (await sellAs(seller, { users: [{ ...ana, ...reach }, leo] })).body.data.policyData
  const stored = await namesOf(id)
  expect(unseen.filter(letter => searchable(`a${letter}b`) !== 'ab')).toEqual([])
  for (const letters of ['\u200b', '\u00ad', unseen.join('')]) {
    await storeWith(id, letters)
    expect(await namesOf(id)).not.toEqual(stored)
    await sql`delete from kysely_migration where name = '0117-names-as-seen'`.execute(app.world.database.kysely)
    expect(await migrate(app.world.database)).toEqual(['0117-names-as-seen'])
    expect(await namesOf(id)).toEqual(stored)
  }
})
