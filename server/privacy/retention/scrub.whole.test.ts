import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#server/kit/database.ts'
import { fillFolder } from '#server/kit/store/testing-copies.ts'
import { dumpOfTemplate } from '#server/kit/testing.ts'
import { scrub } from './run.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scrub-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const name = 'Zacarías Quintanilla'

/** Returns the database's files that contain the name. */
const holders = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    file => statSync(join(folder, file)).isFile() && readFileSync(join(folder, file)).includes(name),
  )

test('no file of the embedded database holds an erased name after the night', async () => {
  await fillFolder(join(folder, 'postgres'), dumpOfTemplate())
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_POOL: 2 })
  const { kysely } = database
  await sql`
    insert into audit (id, at, action, outcome, reason, network, user_agent, request_id)
    select gen_random_uuid(), now(), 'a', 'done', ${name} || ' ' || (n % 50), '', '', '' from generate_series(1, 5000) as n`.execute(kysely)
  await sql`analyze audit`.execute(kysely)
  await sql`update audit set reason = null`.execute(kysely)
  await sql`analyze audit`.execute(kysely)
  await sql`checkpoint`.execute(kysely)
  const before = holders()
  expect([before.some(file => file.includes('pg_wal')), before.some(file => file.includes('base'))]).toEqual([true, true])
  await scrub(database)
  expect(holders()).toEqual([])
  await database.close()
  expect(holders()).toEqual([])
})
