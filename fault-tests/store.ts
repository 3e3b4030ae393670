import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type FaultTest, random, type Result } from './fault-test.ts'
import { openMailServer } from './harness/mailbox.ts'
import { countsOf, faultsOf, sellUntil, soldSoFar } from './harness/sellers.ts'
import { startService } from './harness/service.ts'
import { openDeployment, settingsFor, type Deployment } from './harness/deployment.ts'
import { takeStore } from './harness/store.ts'

/** The file store is emptied again and again while eight sell and others open what was sold. */
async function emptied(times: number): Promise<Result> {
  const post = await openMailServer()
  const deployment = await openDeployment({ environment: { SMTP_URL: post.url } })
  const before = await soldSoFar(deployment)
  const files = join(deployment.folder, 'files')
  const seen = new Map<string, string>()
  const found: string[] = []
  let over = false
  const selling = sellUntil(deployment, 8, () => over)
  const reading = readUntil(deployment, seen, found, () => over)
  for (let time = 0; time < times; time++) {
    await delay(random(500, 1_500))
    empty(files)
  }
  over = true
  const sold = await selling
  await reading
  found.push(...(await faultsOf(deployment, sold, before)), ...(await unsentMails(deployment)))
  // Jobs that a retry has left for later.
  empty(files)
  const rows = await papersOf(deployment)
  for (const id of rows) await read(deployment, id, seen, found)
  const [row] = await deployment.sql(`select count(*)::int as mails from mails where template = 'policy_purchased'`)
  if (Number(row?.['mails']) !== sold.sales.length) found.push(`${Number(row?.['mails'])} mails of ${sold.sales.length} sales`)
  const told = await metric(deployment, 'portolan_files_missing_total')
  if (told === 0) found.push('no metric tells of what was made again')
  if ((await metric(deployment, 'portolan_defects_total')) > 0) found.push('there were defects')
  found.push(...(await refusedUntilTaken(deployment, files)))
  await deployment.stop()
  await post.stop()
  return { counts: { emptied: times, ...countsOf(sold), papers: seen.size, 'made again': told }, faults: found }
}

const empty = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

async function papersOf(deployment: Deployment): Promise<string[]> {
  const rows = await deployment.sql(`select id from files where state = 'ready' and business_unit_id = $1`, [deployment.agent.unitId])
  return rows.map(({ id }) => String(id))
}

async function readUntil(deployment: Deployment, seen: Map<string, string>, found: string[], enough: () => boolean): Promise<void> {
  while (!enough()) {
    for (const id of (await papersOf(deployment)).toSorted(() => Math.random() - 0.5).slice(0, 20)) await read(deployment, id, seen, found)
    await delay(20)
  }
}

/** The very same at each look; a store that is being emptied may put one off. */
async function read(deployment: Deployment, id: string, seen: Map<string, string>, found: string[]): Promise<void> {
  const reply = await fetch(`${deployment.origin}/api/files/${id}`, { headers: deployment.agent.headers })
  const hash = createHash('sha256')
    .update(Buffer.from(await reply.arrayBuffer()))
    .digest('hex')
  if (reply.status === 503) return
  if (reply.status !== 200) found.push(`a paper was answered with ${reply.status}`)
  else if ((seen.get(id) ?? hash) !== hash) found.push(`${id} is not what it was`)
  else seen.set(id, hash)
}

/** A minute later each has left: none is given up, none waits for what cannot come. */
async function unsentMails(deployment: Deployment): Promise<string[]> {
  for (const minutes of [1, 5, 30]) {
    await deployment.node().ask('clock', minutes * 60_000)
    await deployment.node().ask('drain')
  }
  const mails = await deployment.sql(`select state, reason, count(*)::int as count from mails where state <> 'sent' group by 1, 2`)
  const jobs = await deployment.sql(`select subscriber, last_error, count(*)::int as count from jobs where state <> 'done' group by 1, 2`)
  return [
    ...mails.map(({ count, state, reason }) => `${Number(count)} mails are ${String(state)}: ${String(reason)}`),
    ...jobs.map(
      ({ count, subscriber, last_error }) => `${Number(count)} jobs of ${String(subscriber)} are not done: ${String(last_error)}`,
    ),
  ]
}

async function metric(deployment: Deployment, name: string): Promise<number> {
  const { text } = await deployment.ask('/metrics')
  const lines = text.split('\n').filter(line => line.startsWith(name))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** The marker went with the files: no node starts until an operator takes the store. */
async function refusedUntilTaken(deployment: Deployment, files: string): Promise<string[]> {
  const environment = { DATA_DIR: deployment.folder, ...(deployment.postgres ? { DATABASE_URL: deployment.postgres.url() } : {}) }
  await deployment.node().stop()
  empty(files)
  const refused = await startService({ environment: { ...settingsFor(deployment.network), ...environment } }).then(
    () => 'it started',
    (error: unknown) => String(error),
  )
  const said = takeStore(environment)
  await deployment.start()
  return [
    ...(refused.includes('npm run files -- adopt') ? [] : [`an emptied store was not refused: ${refused.slice(0, 300)}`]),
    ...(/certificate +\d+ files +\d+ missing: \d+ made again/.test(said) ? [] : [`adopting said: ${said}`]),
  ]
}

export const store: FaultTest[] = [
  {
    id: 'store-emptied',
    title: 'the file store is emptied while eight sell and their papers are read',
    invariant:
      'no mail is given up, every paper is the very same at each look, nothing is answered but 200 or 503; the store must be adopted',
    needs: 'PostgreSQL',
    run: rounds => emptied(rounds(20)),
  },
]
