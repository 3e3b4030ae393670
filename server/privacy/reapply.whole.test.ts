import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { admin } from '#server/administration/testing.ts'
import { openApp } from '#server/app.ts'
import { backup, restore } from '#server/database/backup.ts'
import { migrate } from '#server/database/migrate.ts'
import { type Database, databaseOf } from '#server/kit/database.ts'
import { type EmbeddedDatabase, openEmbedded } from '#server/kit/store/embedded.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { emptyServerDatabase, inProcess, testApp, testConfig } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { sellerOf } from '#server/policies/testing.ts'
import { leaveTraces, tracesIn, xenia } from './testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'reapply-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a copy from before an erasure has nothing of the person once it has started', async () => {
  const environment = { SUPPRESSION_FILE: join(folder, 'suppressed.jsonl') }
  const original = await testApp(environment)
  const { budget, sold } = await leaveTraces(original, await sellerOf(original))
  const { kysely } = original.world.database
  await kysely.updateTable('tickets').set({ status: 'closed' }).execute()
  await kysely.updateTable('policies').set({ start_date: '2026-01-01', end_date: '2026-02-01' }).where('id', '=', sold).execute()
  // The emails to the person are about a policy that is gone.
  await kysely
    .updateTable('mails')
    .set({ about: stableId('policy', 'gone') })
    .where('about', '=', budget)
    .where('recipient_address', '=', xenia.email)
    .execute()
  const { headers } = await admin(original)
  const facts = { docNumber: xenia.docNumber, birthDate: xenia.birthDate }
  const found = await original.ask('/api/privacy/find', { body: facts, headers })
  const [{ personKey }] = found.body.data.persons
  const asked = { personKey, askedBy: 'person', reason: 'Lo pide por carta' }
  await original.ask('/api/privacy/export', { body: { ...asked, email: xenia.email }, headers })
  await original.world.outbox.drain()
  await backup(original.world.database, join(folder, 'copy'), () => {})
  await original.ask('/api/privacy/erase', { body: asked, headers })
  await original.stop()

  const database = (await emptyServerDatabase()) ?? embeddedOf(await openEmbedded({ memory: true }))
  await migrate(database)
  await restore(database, join(folder, 'copy'), () => {})
  const said: string[] = []
  const copy = inProcess(await openApp(testConfig(environment), database, { say: line => said.push(line) }))
  expect(said.join('\n')).toContain('Erased again')
  expect(await tracesIn(copy)).toEqual([])
  expect(
    await copy.world.database.kysely.selectFrom('mails').select('id').where('about', '=', stableId('policy', 'gone')).execute(),
  ).toEqual([])
  expect(await copy.world.database.kysely.selectFrom('person_copies').selectAll().execute()).toEqual([])
  expect(await brokenInvariants(copy.world.database)).toEqual([])
  await copy.stop()
})

const embeddedOf = (embedded: EmbeddedDatabase): Database => databaseOf(embedded.pool, true, () => embedded.close())

test('a restore without the list of erasures is refused before it opens anything', () => {
  const command = join(import.meta.dirname, '../database/backup-command.ts')
  const run = () =>
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', command, 'restore', join(folder, 'copy')], {
      env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') },
      stdio: 'pipe',
      encoding: 'utf8',
    })
  expect(run).toThrow(/There is no list of erased data at [^\n]*suppressed\.jsonl[^\n]*\n$/)
})
