import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { camt, camtDetails, camtEntry } from '#common/accounting/bank/testing.ts'
import { startOfDay } from '#common/kit/dates.ts'
import { secondNode, sellAt, sixHours, untilClosed, zone } from './book.ts'
import { type FaultTest, random } from './fault-test.ts'
import { signIn } from '#testing/agent.ts'
import type { Deployment } from './harness/deployment.ts'
import { drill, insist, setClock } from './harness/drill.ts'
import { until } from '#tools/until.ts'

const preparedMonth = '2026-11'

type Bordereau = { uuid: string; state: string; released: number; files: number; bytes: string }

/** Reads a bordereau and its contents. `bytes` is a digest of all stored bytes of its files. */
async function bordereauOf(deployment: Deployment, uuid: string): Promise<Bordereau | undefined> {
  const [row] = await deployment.sql(
    `select id as uuid, state, (select count(*)::int from bordereau_units where bordereau_id = bordereaux.id) as released,
       (select count(*)::int from bordereau_files where bordereau_id = bordereaux.id) as files,
       (select md5(string_agg(name || position || md5(content), ' ' order by name, position)) from bordereau_parts where bordereau_id = bordereaux.id) as bytes
     from bordereaux where id = $1`,
    [uuid],
  )
  // Safe: these are the selected columns.
  return row as Bordereau | undefined
}

/** Ends the leases of jobs as if two minutes had passed. A second node then runs a job that is still running. */
const endLeases = (deployment: Deployment): Promise<unknown> =>
  deployment.sql("update jobs set run_at = now() where subscriber = 'administration.bordereau' and state = 'running'")

/** Waits until a bordereau is prepared. */
async function untilPrepared(deployment: Deployment, uuid: string): Promise<Bordereau> {
  return until(`bordereau ${uuid}`, async () => {
    const found = await bordereauOf(deployment, uuid)
    return found?.state !== 'preparing' && found
  })
}

/** Kills one of two nodes while a bordereau is prepared, and again while it is released from both. */
async function killWhileReleasing(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { postgres, folder, ask, agent } = deployment
  const other = postgres && (await secondNode(postgres.url(), folder))
  for (let sale = 0; sale < 40; sale++) await sellAt(deployment, startOfDay('2026-11-20', zone))
  await setClock(deployment, startOfDay('2026-12-01', zone) + sixHours)
  await untilClosed(deployment, '2026-11-01')
  const [first, second] = await Promise.all([signIn(ask, 'admin@portolan.example'), signIn(ask, 'admin2@portolan.example')])
  let cut = 0
  let hashes = ''
  for (let round = 0; round < many; round++) {
    const body = { requestUuid: randomUUID(), period: preparedMonth, units: [agent.unitId], kind: 'premium' }
    const asked = first.ask('/api/administration/bordereau', { body }).catch(() => {})
    await delay(random(0, 300))
    await deployment.node().kill()
    await asked
    await deployment.start()
    const { uuid } = (await insist(() => first.ask('/api/administration/bordereau', { body }))).body.data
    await endLeases(deployment)
    const prepared = await untilPrepared(deployment, uuid)
    const own = (await filesOf(deployment, uuid)).join(' ')
    if (hashes !== '' && own !== hashes) say(`the files of round ${round} differ from those before`)
    hashes = own
    const release = () => second.ask('/api/administration/bordereau/release', { body: { uuid } })
    const sent = [1, 2].map(() =>
      release().then(
        ({ status }) => status,
        () => (cut += 1) && 0,
      ),
    )
    await delay(random(0, 120))
    await deployment.node().kill()
    const replies = await Promise.all(sent)
    await deployment.start()
    const again = await insist(release)
    const released = await bordereauOf(deployment, uuid)
    if (replies.filter(status => status === 200).length > 1) say('two releases answered 200')
    if (again.status !== 200 && again.body?.error !== 'bordereau.released')
      say(`a release after a kill answered ${again.text.slice(0, 150)}`)
    if (released?.state !== 'released' || released.released !== 1) say(`a bordereau is ${released?.state} for ${released?.released} months`)
    if (released?.bytes !== prepared.bytes || released.files !== prepared.files) say('the released bytes are not those that were prepared')
    // For the next round the month counts as not released.
    await deployment.sql('delete from bordereau_units where bordereau_id = $1', [uuid])
    await deployment.sql('delete from bordereaux where id = $1', [uuid])
  }
  await other?.stop()
  return { bordereaux: many, kills: 2 * many, 'requests cut': cut }
}

const filesOf = async (deployment: Deployment, uuid: string): Promise<string[]> =>
  (await deployment.sql('select name, sha256 from bordereau_files where bordereau_id = $1 order by name', [uuid])).map(
    row => `${String(row['name'])} ${String(row['sha256'])}`,
  )

/** Kills one of two nodes while the entries of a bank's file are booked. The same file is then sent twice again. */
async function killWhileBooking(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { postgres, folder, ask, agent } = deployment
  const other = postgres && (await secondNode(postgres.url(), folder))
  const administrator = await signIn(ask, 'admin@portolan.example')
  const perFile = 20
  let cut = 0
  for (let round = 0; round < many; round++) {
    const text = camt(
      Array.from({ length: perFile }, (_, index) =>
        camtEntry({ amount: '1.00', servicer: `R${round}-${index}`, day: '<Dt>2026-11-27</Dt>', details: camtDetails({}) }),
      ),
    )
    const file = Buffer.from(text).toString('base64')
    const read = await insist(() => administrator.ask('/api/administration/accounting/bank', { body: { file } }))
    const entries = read.body.data.entries.map(({ uuid }: { uuid: string }) => ({ uuid, businessUnitUuid: agent.unitId }))
    const book = () => administrator.ask('/api/administration/accounting/bank/book', { body: { file, entries } })
    const sent = [1, 2].map(() => book().catch(() => (cut += 1)))
    await delay(random(0, 150))
    await deployment.node().kill()
    await Promise.all(sent)
    await deployment.start()
    for (const reply of await Promise.all([insist(book), insist(book)]))
      if (reply.status !== 200) say(`a booking after a kill answered ${reply.status} ${reply.text.slice(0, 200)}`)
  }
  await other?.stop()
  const [row] = await deployment.sql(
    `select count(*)::int as lines, coalesce(sum(bank), 0)::int as cents, (select count(*)::int from bank_entries) as entries
     from money_book where business_unit_id = $1 and kind = 'payment' and request_id in (select id from bank_entries)`,
    [agent.unitId],
  )
  const expected = many * perFile
  if (row?.['lines'] !== expected || row['entries'] !== expected || Math.abs(Number(row['cents'])) !== expected * 100)
    say(
      `${String(row?.['lines'])} lines of ${String(row?.['cents'])} cents for ${String(row?.['entries'])} entries, where ${expected} were sent`,
    )
  return { entries: expected, kills: many, 'requests cut': cut }
}

export const bookFiles: FaultTest[] = [
  {
    id: 'kill-releasing',
    title: 'kill -9 of one of two nodes while a bordereau is prepared, and while it is released twice',
    invariant: 'each bordereau is released once, with the very bytes that were prepared, and each writing gives the same files',
    needs: 'PostgreSQL',
    run: drill(killWhileReleasing, 20),
  },
  {
    id: 'kill-booking-bank',
    title: 'kill -9 of one of two nodes while a bank’s entries are booked, each file sent four times',
    invariant: 'each entry is booked once, and every check of the money book holds',
    needs: 'PostgreSQL',
    run: drill(killWhileBooking, 20),
  },
]
