import { buffer } from 'node:stream/consumers'
import { type Selectable, sql } from 'kysely'
import { type DataClass, dataClasses } from '#common/privacy/classes.ts'
import { type FileKind, fileKinds } from '#common/documents/kinds.ts'
import { stepIn } from '#server/changes/payment/open.ts'
import { openStore } from '#server/documents/open-store.ts'
import { openContent, openedSource } from '#server/documents/sealed/content.ts'
import { numberHashes, numberIn } from '#server/kit/sealed/document-numbers.ts'
import { replyIn } from '#server/kit/sealed/replies.ts'
import { hashOfAddress } from '#server/kit/mail-address.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { TestApp } from '#server/kit/testing.ts'
import { bodyOf, wordsOf } from '#server/tickets/public.ts'
import { wantedIn } from './copy/request.ts'
import { hashesOf } from './facts.ts'
import { columns, files as filesByClass } from './registry.ts'
import { opened as openedData } from './sealed.ts'
import { policyStatusTypes } from '#server/business-unit/public.ts'
import { isTrace, xenia } from './testing.ts'
import { readings } from './testing-numbers.ts'

/** How many cells, files or responses show Xenia, by place. */
export type Places = Record<string, number>

/** The classes of people who are not travellers. */
const others: ReadonlySet<DataClass> = new Set<DataClass>(['user', 'agency', 'session'])
const classesOfTravellers = dataClasses.filter(each => !others.has(each))

type Row = Record<string, unknown>
type Reader = (secrets: Secrets, row: never) => string | Buffer | null | undefined
const reader = <Table extends keyof Tables>(
  read: (secrets: Secrets, row: Selectable<Tables[Table]>) => string | Buffer | null | undefined,
): Reader => read

/** Decrypts columns. An encrypted column without its reader fails the test, as it could hide someone. */
const readers: Record<string, Reader> = {
  'policy_people.sealed': reader<'policy_people'>((secrets, row) => numberIn(secrets, row.policy_id, row)),
  'open_changes.sealed': reader<'open_changes'>((secrets, row) => JSON.stringify(stepIn(secrets, row))),
  'paper_sources.source': reader<'paper_sources'>((secrets, row) =>
    openedSource(secrets, row.content_id, { secret: row.source, sealedBy: row.sealed_by }),
  ),
  'idempotency.sealed': reader<'idempotency'>((secrets, row) => replyIn(secrets, row, row)),
  'tickets.sealed': reader<'tickets'>((secrets, row) => row.sealed && JSON.stringify(wordsOf(secrets, row))),
  'ticket_messages.sealed': reader<'ticket_messages'>((secrets, row) => row.sealed && bodyOf(secrets, row)),
  'blocked_data.sealed': reader<'blocked_data'>((secrets, row) =>
    JSON.stringify(openedData(secrets, { kind: row.kind, objectId: row.object_id, sealed: row.sealed, sealedBy: row.sealed_by })),
  ),
  'bordereau_parts.content': (_, row: { content: Buffer }) => row.content,
  'report_parts.content': (_, row: { content: Buffer }) => row.content,
}

const facts = new Set(Object.values(xenia).flatMap(fact => (typeof fact === 'string' ? [fact] : [])))

/** Counts the cells that show Xenia, by column: in clear, encrypted, hashed or compressed. */
export async function cellsOf(app: TestApp, unitId: string): Promise<Places> {
  const counted: Places = {}
  for (const table of Object.keys(columns)) {
    const names = namesIn(table, classesOfTravellers)
    for (const name of names) counted[`${table}.${name}`] = 0
    for (const { found } of names.length > 0 ? await rowsOfHer(app, unitId, table) : [])
      for (const name of found) counted[`${table}.${name}`] = (counted[`${table}.${name}`] ?? 0) + 1
  }
  return counted
}

const namesIn = (table: string, classes: readonly DataClass[]): string[] =>
  classes.flatMap(each => columns[table]?.[each]?.split(' ') ?? [])

/** Returns the rows of a table that show Xenia, by the columns that do. */
async function rowsOfHer(
  { world: { database, secrets } }: TestApp,
  unitId: string,
  table: string,
): Promise<{ at: string; found: string[] }[]> {
  const hers = hashesOfHer(secrets, unitId)
  const shows = async (value: unknown): Promise<boolean> => {
    if (value === null || value === undefined) return false
    if (!Buffer.isBuffer(value)) return (typeof value === 'string' && facts.has(value)) || isTrace(textOf(value))
    return hers.has(value.toString('hex')) || (await readings(value)).some(isTrace)
  }
  const names = namesIn(table, classesOfTravellers)
  const { rows } = await sql<
    Row & { place_in_table: string }
  >`select ctid::text as place_in_table, each.* from ${sql.table(table)} as each`.execute(database.kysely)
  const all: { at: string; found: string[] }[] = []
  for (const row of rows) {
    const found: string[] = []
    for (const name of names) if (await shows(readIn(secrets, { table, name, row }))) found.push(name)
    // A token is random: it counts as Xenia's if its row does.
    if (found.length > 0 && names.includes('token_hash') && row['token_hash']) found.push('token_hash')
    if (found.length > 0) all.push({ at: row.place_in_table, found })
  }
  return all
}

function readIn(secrets: Secrets, { table, name, row }: { table: string; name: string; row: Row }): unknown {
  const value = row[name]
  const read = readers[`${table}.${name}`]
  if (read) return value === null ? null : read(secrets, row as never) // Safe: it is a row of that table.
  if (Buffer.isBuffer(value) && !/_hash$|^offered_to$/.test(name)) throw new Error(`no reader opens ${table}.${name}`)
  // Safe: a job's payload is an object.
  if (table === 'jobs' && name === 'payload' && (value as { sealed?: string }).sealed) return wantedIn(secrets, row as never)
  return value
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function hashesOfHer(secrets: Secrets, unitId: string): Set<string> {
  const { docNumber: document, birthDate, email } = xenia
  const names = ['Xenia Quintanilla Zubizarreta', 'Xenia Quintanilla']
  const all = names.flatMap(name => Object.values(hashesOf(secrets, unitId, { document, birthDate, email, name })))
  return new Set(
    [...all.flatMap(hash => hash ?? []), ...numberHashes(secrets, unitId, document), hashOfAddress(email)].map(hash =>
      hash.toString('hex'),
    ),
  )
}

export type StoredFile = { id: string; unit: string; content: string; kind: FileKind }

/** Returns the stored files of an agency. Their rows may go before their bytes. */
export async function storedFiles({ world: { database } }: TestApp, unitId: string): Promise<StoredFile[]> {
  const rows = await database.kysely
    .selectFrom('files')
    .select(['id', 'content_id', 'kind'])
    .where('business_unit_id', '=', unitId)
    .execute()
  return rows.flatMap(({ id, content_id: content, kind }) => (content ? [{ id, unit: unitId, content, kind }] : []))
}

/** Counts, by kind, the files in the store whose decrypted bytes show Xenia. */
export async function filesOf({ world: { config, secrets } }: TestApp, files: StoredFile[]): Promise<Places> {
  const store = openStore(config)
  const counted: Places = Object.fromEntries(fileKinds.map(kind => [`file ${kind}`, 0]))
  for (const { unit, content, kind } of files) {
    const name = `${unit}/${content}`
    const stored = await store.read(name).catch(() => undefined)
    if (!stored) continue
    const bytes = await buffer((await openContent(secrets, name, stored)).stream)
    if (isTrace(bytes.toString('latin1')) || (kind !== 'ticket' && (await readings(bytes)).some(isTrace)))
      counted[`file ${kind}`] = (counted[`file ${kind}`] ?? 0) + 1
  }
  return counted
}

/** The classes whose data an erasure removes. Other data leaves in its own time, or is kept by law. */
const leaving = ['policy', 'ticket', 'mail', 'copy'] as const satisfies DataClass[]

/** Writes Xenia's name into each text of her rows that is still empty, so that no column is forgotten, except those with a reason. */
export async function fillColumns(app: TestApp, unitId: string, not: Record<string, string>): Promise<void> {
  const { kysely } = app.world.database
  const { rows: texts } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and udt_name in ('text', 'varchar')`.execute(kysely)
  for (const [table, of] of Object.entries(Object.groupBy(texts, each => each.table))) {
    const names = namesIn(table, leaving)
    if (names.length === 0) continue
    const rows = await rowsOfHer(app, unitId, table)
    const filled = new Set(rows.flatMap(({ found }) => found))
    const free = (of ?? []).filter(({ column }) => names.includes(column) && !filled.has(column) && !not[`${table}.${column}`])
    if (free.length === 0 || rows.length === 0) continue
    await sql`
      update ${sql.table(table)} set ${sql.join(free.map(({ column }) => sql`${sql.ref(column)} = 'Xenia'`))}
      where ctid = any(${rows.map(({ at }) => at)}::tid[])`.execute(kysely)
  }
}

/** Every place that an erasure empties: columns and kinds of files. */
export const placesThatLeave = [
  ...Object.keys(columns).flatMap(table => namesIn(table, leaving).map(name => `${table}.${name}`)),
  ...fileKinds.filter(kind => leaving.some(each => each === filesByClass[kind])).map(kind => `file ${kind}`),
]

type Headers = Record<string, string>

/** Counts what calls show of Xenia: lists, known people, and the administration's search in data that is not blocked. */
export async function answersOf(
  app: TestApp,
  files: StoredFile[],
  { seller, admin }: { seller: Headers; admin: Headers },
): Promise<Places> {
  const named = files.filter(({ kind }) => filesByClass[kind] !== 'none')
  const opened = await Promise.all(named.map(({ id }) => app.ask(`/api/files/${id}`, { headers: seller })))
  const queued = await app.world.database.kysely.selectFrom('mails').selectAll().where('state', '=', 'queued').execute()
  const post = async (path: string, body: object, headers: Headers) => (await app.ask(`/api/${path}`, { body, headers })).body.data
  const { docNumber, birthDate } = xenia
  const people = async (body: object) => (await post('people', { as: 'policyholder', ...body }, seller)).people.length
  const listed = async (searchData: string) => {
    const totals = Object.values(policyStatusTypes).map(
      async ({ uuid: statusTypeUuid }) => (await post('policy/list', { page: 1, perPage: 10, statusTypeUuid, searchData }, seller)).total,
    )
    return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0)
  }
  const [person] = (await post('privacy/find', { docNumber, birthDate }, admin)).persons
  return {
    'files that the agency opens': opened.filter(({ status }) => status === 200).length,
    'emails in the queue': queued.filter(mail => isTrace(JSON.stringify(mail))).length,
    'lists, searched by name': await listed('Zubizarreta'),
    'lists, searched by document': await listed(docNumber),
    'known people by document': await people({ by: 'document', search: docNumber }),
    'known people by name': await people({ by: 'name', search: 'Xenia' }),
    'administration’s search, in use': person?.where.filter(({ blocked }: { blocked: boolean }) => !blocked).length ?? 0,
  }
}

/** True for files that the law keeps: encrypted in the store with their policy or ticket, for the administration alone. */
export const isBlockedFile = (place: string): boolean =>
  place.startsWith('file ') && !['file offer', 'file proof', 'file copy'].includes(place)

/** Writes the counts as a table, a row for each table of the database, without those that were always empty. */
export function tableOf(counts: Record<string, Places>): string {
  const moments = Object.values(counts)
  const rowOf = (place: string): string => {
    if (!place.startsWith('file ')) return place.split('.')[0] ?? place
    return isBlockedFile(place) ? 'files of policies and tickets' : 'files of saved quotes and copies'
  }
  const sums = new Map<string, number[]>()
  for (const place of Object.keys(moments[0] ?? {}))
    moments.forEach((places, index) => {
      const row = sums.get(rowOf(place)) ?? moments.map(() => 0)
      row[index] = (row[index] ?? 0) + (places[place] ?? 0)
      sums.set(rowOf(place), row)
    })
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const rows = [...sums].filter(([, row]) => row.some(count => count > 0)).map(([place, row]) => line([place, ...row]))
  return [line(['Place', ...Object.keys(counts)]), line(['-', ...moments.map(() => '-:')]), ...rows].join('\n')
}
