import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import type { World } from '#server/kit/app-context.ts'
import { openSecrets, SecretsKeyError } from '#server/kit/store/secrets.ts'
import { testApp } from '#server/kit/testing.ts'
import { sellerOf } from '#server/policies/testing.ts'
import { runRetention } from '../retention/run.ts'
import { opened } from '../sealed.ts'
import { leaveTraces } from '../testing.ts'
import { checkBlocked, resealBlocked } from './reseal.ts'

test('a change of the key encrypts blocked data anew, and people are found as before', async () => {
  let ahead = 0
  const app = await testApp({}, { clock: { now: () => new Date(Date.now() + ahead) } })
  await leaveTraces(app, await sellerOf(app))
  const { kysely } = app.world.database
  await sql`update tickets set status = 'closed'`.execute(kysely)
  for (const days of [500, 501]) {
    ahead = days * 86_400_000
    await runRetention(app.world, new Date(Date.now() + ahead).toISOString().slice(0, 10))
  }
  const keyed = (...keys: string[]): World => ({ ...app.world, secrets: openSecrets({ SECRETS_KEY: keys, DATA_DIR: '' }) })
  const [former, present] = [existing(app.world.config.SECRETS_KEY?.[0]), randomBytes(32).toString('base64')]
  const people = () =>
    kysely.selectFrom('blocked_people').selectAll().orderBy('blocked_id').orderBy('document_hash').orderBy('name_hash').execute()
  const contents = async ({ secrets }: World) =>
    (await kysely.selectFrom('blocked_data').selectAll().orderBy('id').execute()).map(
      ({ kind, object_id: objectId, sealed, sealed_by: sealedBy }) => opened(secrets, { kind, objectId, sealed, sealedBy }),
    )
  const withoutPosition = (rows: Awaited<ReturnType<typeof people>>) => rows.map(row => ({ ...row, position: 0 }))
  const [peopleBefore, before] = [await people(), await contents(app.world)]
  expect(before.length).toBe(4)
  expect(peopleBefore.length).toBeGreaterThan(4)

  await expect(checkBlocked(keyed(present))).rejects.toThrow(SecretsKeyError)
  const both = keyed(present, former)
  await checkBlocked(both)
  expect(await resealBlocked(both, () => true)).toBe(0)
  const nodes = await Promise.all([resealBlocked(both), resealBlocked(both)])
  expect(nodes[0] + nodes[1]).toBe(4)
  await checkBlocked(keyed(present))
  expect(await contents(keyed(present))).toEqual(before)
  const hashes = (rows: Awaited<ReturnType<typeof people>>) =>
    rows.flatMap(row => [row.document_hash, row.email_hash, row.name_hash]).map(String)
  expect(hashes(await people()).filter(hash => hash !== 'null' && hashes(peopleBefore).includes(hash))).toEqual([])

  // Under the former key again, each person has the hashes that blocking gave them.
  expect(await resealBlocked(keyed(former, present))).toBe(4)
  expect(withoutPosition(await people())).toEqual(withoutPosition(peopleBefore))
  await app.stop()
})
