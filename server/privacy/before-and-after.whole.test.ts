import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { admin } from '#server/administration/testing.ts'
import { openApp } from '#server/app.ts'
import { askClient, tokenFor } from '#server/client/testing.ts'
import { backup, restore } from '#server/database/backup.ts'
import { migrate } from '#server/database/migrate.ts'
import { type Database, databaseOf } from '#server/kit/database.ts'
import { openEmbedded } from '#server/kit/store/embedded.ts'
import { emptyServerDatabase, inProcess, type TestApp, testConfig } from '#server/kit/testing.ts'
import { releaseJobs } from '#server/kit/work/jobs.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { leo, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { cardApp } from '#server/policies/testing-cards.ts'
import { purge } from '#server/session/purge.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { sendForm } from '#server/tickets/testing.ts'
import { runRetention } from './retention/run.ts'
import { leaveTraces, xenia } from './testing.ts'
import {
  answersOf,
  cellsOf,
  filesOf,
  fillColumns,
  isBlockedFile,
  type Places,
  placesThatLeave,
  type StoredFile,
  storedFiles,
  tableOf,
} from './testing-places.ts'

const folder = mkdtempSync(join(tmpdir(), 'before-and-after-'))
afterAll(() => rmSync(folder, { recursive: true }))
const environment = { SUPPRESSION_FILE: join(folder, 'suppressed.jsonl'), FILE_STORE: `file:${join(folder, 'files')}` }
const unitId = demoScope('azahar').businessUnitId
const noor = { ...leo, name: 'Noor', docNumber: '48765433M', birthDate: '1991-04-04' }

/** The places where the person is not before the erasure, and why. */
const empty: Record<string, string> = {
  'policy_people.document_number': 'Numbers are sealed',
  'policy_people.residence_country': 'A country is that of many',
  'policy_people.person_id': 'A random id',
  'tickets.description': 'Descriptions are sealed',
  'tickets.form': 'Answers are sealed',
  'ticket_messages.body': 'Messages are sealed',
}

/** The places that an erasure leaves, and when they are emptied. */
const left: Record<string, string> = {
  'holds.reason': 'Three years',
  'person_requests.reason': 'Three years',
  'person_requests.extension': 'Three years',
  'person_requests.closing': 'Three years',
  'person_requests.outcome': 'Three years',
}

// `TABLE=1 npm test -- before-and-after` prints the table of what is left.
test('an erased person is in no used place or restored copy, and in the end in none', async () => {
  const app = await cardApp({ environment })
  const seller = await sellerOf(app)
  const { headers } = await admin(app)
  const beEverywhere = await everywhere(app, seller, headers)
  const files = await storedFiles(app, unitId)
  const before = await placesIn(app, files)
  expect(placesThatLeave.filter(place => !before[place])).toEqual(placesThatLeave.filter(place => empty[place]))
  expect(Object.keys(before).filter(place => isAnswer(place) && !before[place])).toEqual([])
  await backup(app.world.database, join(folder, 'copy'), () => {})

  await beEverywhere.end()
  await beEverywhere.erase()
  // Sends the letter, which is the last email to the address.
  await app.world.outbox.drain()
  const after = await placesIn(app, files)
  expect(await brokenInvariants(app.world.database)).toEqual([])
  await app.stop()

  const ahead = { ms: 0 }
  const database = (await emptyServerDatabase()) ?? (await embedded())
  await migrate(database)
  await restore(database, join(folder, 'copy'), () => {})
  const clock = { now: () => new Date(Date.now() + ahead.ms) }
  const copy = inProcess(await openApp(testConfig(environment), database, { clock }))
  const restored = await placesIn(copy, files)
  for (const [moment, places] of Object.entries({ after, restored })) {
    const remaining = placesThatLeave.filter(place => places[place] && !left[place] && !isBlockedFile(place))
    expect(remaining, moment).toEqual([])
    expect(
      Object.keys(places).filter(place => isAnswer(place) && places[place]),
      moment,
    ).toEqual([])
  }

  await copy.world.database.asService(tx => releaseJobs(tx))
  await copy.world.outbox.drain()
  ahead.ms = elevenYears
  await runRetention(copy.world, clock.now().toISOString().slice(0, 10))
  await copy.world.outbox.drain()
  expect(await brokenInvariants(copy.world.database)).toEqual([])
  ahead.ms += 40 * dayMs
  await purge(copy.world)
  const later = await placesIn(copy, files)
  expect(Object.keys(later).filter(place => later[place])).toEqual([])
  if (process.env['TABLE'])
    process.stdout.write(`\n${tableOf({ before, after, 'after the restore': restored, 'after eleven years': later })}\n`)
  await copy.stop()
})

const dayMs = 86_400_000
const elevenYears = 11 * 366 * dayMs
const isAnswer = (place: string): boolean => !place.includes('.') && !place.startsWith('file ')

async function placesIn(app: TestApp, files: StoredFile[]): Promise<Places> {
  const [seller, operator] = [await signIn(app, 'agent@azahar.example'), await admin(app)]
  return {
    ...(await cellsOf(app, unitId)),
    ...(await filesOf(app, files)),
    ...(await answersOf(app, files, { seller: seller.headers, admin: operator.headers })),
  }
}

/** Plays every call that can store a person: sales, offers, requests and answers. */
async function everywhere(app: TestApp, seller: Seller, operator: Record<string, string>) {
  const ask = async (path: string, body: object, headers: Record<string, string>) => {
    const reply = await app.ask(`/api/${path}`, { body, headers })
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`)
    return reply.body.data
  }
  const post = (path: string, body: object, more = {}) => ask(path, body, { ...seller.headers, ...more })
  const answer = (path: string, body: object) => ask(`privacy/${path}`, body, operator)
  const sell = async (trip: Record<string, unknown>): Promise<string> => (await sellAs(seller, trip)).body.data.policyData.policyUuid
  const usersOf = async (policyUuid: string) =>
    (await post('policy/change/terms', { policyUuid })).policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))

  const { sold, claim } = await leaveTraces(app, seller)
  await sendForm(app, seller, `/api/tickets/${claim}/messages`, { text: 'Soy Xenia: falta la factura' }, [])
  const startDate = addDays(today(app.world.clock.now(), 'Europe/Madrid'), 50)
  const trip = { users: [xenia, leo], startDate, endDate: addDays(startDate, 40) }

  const cancelled = await sell(trip)
  const [first, second] = await usersOf(cancelled)
  const change = { users: [{ ...first, lastName: 'Zubizarreta Ruiz' }, second] }
  await post('policy/change', { policyUuid: cancelled, version: 1, change, expectedDifference: 0, reason: 'client' })
  const { refund: expectedRefund } = await post('policy/cancel/preview', { policyUuid: cancelled, version: 2 })
  await post('policy/cancel', { policyUuid: cancelled, version: 2, expectedRefund, reason: 'trip_cancelled' })

  const withdrawn = await sell({ ...trip, channel: 'distance' })
  const token = await tokenFor(app, withdrawn, xenia.email)
  await askClient(app, 'withdraw', { token, name: 'Xenia Quintanilla', confirmTo: xenia.email, version: 1 })

  const offered = await sell(trip)
  const joining = { policyUuid: offered, version: 1, change: { users: [...(await usersOf(offered)), noor] } }
  const expectedDifference = (await post('policy/change/preview', joining)).difference.total
  const settle = { offer: { email: xenia.email } }
  const { changeUuid } = await post(
    'policy/change',
    { ...joining, expectedDifference, reason: 'client', settle },
    { 'idempotency-key': 'offered' },
  )

  const hold = await answer('hold', {
    kind: 'policy',
    uuid: sold,
    until: addDays(today(app.world.clock.now(), 'Europe/Madrid'), 400),
    reason: 'Juicio de Xenia',
  })
  await answer('holds/lift', { uuid: hold.uuid, reason: 'Sentencia firme' })
  const [{ personKey }] = (await answer('find', { docNumber: xenia.docNumber, birthDate: xenia.birthDate })).persons
  const asked = { personKey, askedBy: 'person', reason: 'Lo pide Xenia' }
  const closed = await answer('export', { ...asked, email: xenia.email })
  await answer('requests/extend', { uuid: closed.requestUuid, months: 1, reason: 'Xenia tiene muchas pólizas' })
  await answer('requests/close', { uuid: closed.requestUuid, reason: 'Xenia lo retira' })
  // An outcome as after a refusal by a hold.
  const [item] = (await answer('erase/preview', { personKey })).items
  const outcome = JSON.stringify({ items: [{ ...item, outcome: 'refused', because: 'held', note: 'Juicio de Xenia' }], mails: 0 })
  await app.world.database.kysely.updateTable('person_requests').set({ outcome }).where('id', '=', closed.requestUuid).execute()
  await answer('export', { ...asked, email: xenia.email })
  await app.world.outbox.drain()
  // These emails have not left yet.
  await post('policy/sendCertificates', { policyUuid: sold, emails: [xenia.email], files: [] })
  await answer('export', { ...asked, email: xenia.email })
  await fillColumns(app, unitId, empty)
  return {
    /** Ends every policy and closes every ticket, as time does. */
    async end() {
      const { kysely } = app.world.database
      await post('policy/change/take-back', { changeUuid })
      await kysely.updateTable('tickets').set({ status: 'closed' }).execute()
      await kysely
        .updateTable('policies')
        .set({ start_date: '2026-01-01', end_date: '2026-02-01' })
        .where('sold_version', 'is not', null)
        .execute()
    },
    erase: () => answer('erase', asked),
  }
}

async function embedded(): Promise<Database> {
  const { pool, ...opened } = await openEmbedded({ memory: true })
  return databaseOf(pool, true, () => opened.close())
}
