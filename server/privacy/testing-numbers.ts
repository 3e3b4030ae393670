import { buffer } from 'node:stream/consumers'
import { constants, gunzipSync, inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { openStore } from '#server/documents/open-store.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { readZip, unzip } from '#server/kit/upload/zip.ts'
import { numberIn } from '#server/kit/sealed/document-numbers.ts'
import type { TestApp } from '#server/kit/testing.ts'

/** Every document number of a test has these digits, and nothing else has. */
export const digits = /4876543\d/

const hasNumber = async (content: Buffer): Promise<boolean> => (await readings(content)).some(text => digits.test(text))

/** Returns the texts in bytes, also compressed ones. A piece of a larger whole is read as far as possible. */
export async function readings(bytes: Buffer): Promise<string[]> {
  const plain = bytes.toString('latin1')
  if (plain.startsWith('%PDF-')) return [plain, (await readPdf(bytes)).text]
  if (plain.startsWith('PK')) {
    const entries = readZip(bytes) ?? []
    const unpacked = await Promise.all(entries.map(async entry => readings((await unzip(bytes, entry)) ?? Buffer.alloc(0))))
    return [plain, ...unpacked.flat()]
  }
  return [plain, unpack(inflateRawSync, bytes), unpack(gunzipSync, bytes)]
}

function unpack(method: typeof gunzipSync, bytes: Buffer): string {
  try {
    return method(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
  } catch {
    return ''
  }
}

/** Returns every `table.column` whose rows show a number: in a text, in JSON, or in bytes, also compressed ones. */
export async function placesWithNumbers({ world: { database } }: Pick<TestApp, 'world'>): Promise<string[]> {
  const { kysely } = database
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(kysely)
  const found = new Set<string>()
  for (const { table, column } of columns) {
    const { rows } = await sql<{ text: string }>`
      select ${sql.ref(column)}::text as text from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(kysely)
    for (const { text } of rows) if (await shows(text)) found.add(`${table}.${column}`)
  }
  return [...found].toSorted()
}

const shows = async (text: string): Promise<boolean> =>
  text.startsWith(String.raw`\x`) ? hasNumber(Buffer.from(text.slice(2), 'hex')) : digits.test(text)

/** Returns the kinds of all files in the store, and of those whose bytes show a number. */
export async function kindsWithNumbers({ world: { config, database } }: Pick<TestApp, 'world'>) {
  const store = openStore(config)
  const files = await database.kysely.selectFrom('files').selectAll().where('state', '=', 'ready').execute()
  const [all, showing] = [new Set<string>(), new Set<string>()]
  for (const { business_unit_id: unit, content_id: content, kind } of files) {
    all.add(kind)
    if (await hasNumber(await buffer(await store.read(`${unit}/${content}`)))) showing.add(kind)
  }
  return { all: [...all].toSorted(), showing: [...showing].toSorted() }
}

/** Stores the numbers of people as an older version did. */
export async function storeNumbersOpenly({ world: { database, secrets } }: Pick<TestApp, 'world'>): Promise<void> {
  const { kysely } = database
  for (const { policy_id, version, position, ...stored } of await kysely
    .selectFrom('policy_people')
    .selectAll()
    .where('sealed', 'is not', null)
    .execute())
    await kysely
      .updateTable('policy_people')
      .set({ document_number: numberIn(secrets, policy_id, stored), sealed: null, sealed_by: null, document_hash: null })
      .where(eb => eb.and({ policy_id, version, position }))
      .execute()
}
