import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type FaultTest, random, type Result, shuffled } from './fault-test.ts'
import { openMailServer } from '#testing/mailbox.ts'
import { countsOf, findProblems, sellUntil, countSold } from './harness/sellers.ts'
import { startService } from '#testing/service.ts'
import { openDeployment, settingsFor, type Deployment } from './harness/deployment.ts'
import { adoptStore } from './harness/store.ts'

/** Empties the file store repeatedly while documents are sold and read. */
async function emptyStore(times: number): Promise<Result> {
  const post = await openMailServer()
  const deployment = await openDeployment({ environment: { SMTP_URL: post.url } })
  const before = await countSold(deployment)
  const files = join(deployment.folder, 'files')
  const hashes = new Map<string, string>()
  const problems: string[] = []
  let over = false
  const selling = sellUntil(deployment, 8, () => over)
  const reading = readUntil(deployment, hashes, problems, () => over)
  for (let time = 0; time < times; time++) {
    await delay(random(500, 1_500))
    empty(files)
  }
  over = true
  const sold = await selling
  await reading
  problems.push(...(await findProblems(deployment, sold, before)), ...(await unsentMails(deployment)))
  // Documents of retried jobs may have been written since.
  empty(files)
  const rows = await documentsOf(deployment)
  for (const id of rows) await read(deployment, id, hashes, problems)
  const [row] = await deployment.sql(`select count(*)::int as mails from mails where template = 'policy_purchased'`)
  if (Number(row?.['mails']) !== sold.sales.length) problems.push(`${Number(row?.['mails'])} emails for ${sold.sales.length} sales`)
  const regenerated = await metric(deployment, 'portolan_files_missing_total')
  if (regenerated === 0) problems.push('no metric counts regenerated files')
  if ((await metric(deployment, 'portolan_defects_total')) > 0) problems.push('there were 500s')
  problems.push(...(await refusedUntilAdopted(deployment, files)))
  await deployment.stop()
  await post.stop()
  return { counts: { emptied: times, ...countsOf(sold), documents: hashes.size, regenerated }, problems }
}

const empty = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

async function documentsOf(deployment: Deployment): Promise<string[]> {
  const rows = await deployment.sql(`select id from files where state = 'ready' and business_unit_id = $1`, [deployment.agent.unitId])
  return rows.map(({ id }) => String(id))
}

async function readUntil(deployment: Deployment, hashes: Map<string, string>, problems: string[], enough: () => boolean): Promise<void> {
  while (!enough()) {
    for (const id of shuffled(await documentsOf(deployment)).slice(0, 20)) await read(deployment, id, hashes, problems)
    await delay(20)
  }
}

/** Reads a document, which must never change. 503 is allowed while the store is being emptied. */
async function read(deployment: Deployment, id: string, hashes: Map<string, string>, problems: string[]): Promise<void> {
  const reply = await fetch(`${deployment.origin}/api/files/${id}`, { headers: deployment.agent.headers })
  const hash = createHash('sha256')
    .update(Buffer.from(await reply.arrayBuffer()))
    .digest('hex')
  if (reply.status === 503) return
  if (reply.status !== 200) problems.push(`a document was answered with ${reply.status}`)
  else if ((hashes.get(id) ?? hash) !== hash) problems.push(`${id} has changed`)
  else hashes.set(id, hash)
}

/** Returns the emails and jobs still open after half an hour. */
async function unsentMails(deployment: Deployment): Promise<string[]> {
  for (const minutes of [1, 5, 30]) {
    await deployment.node().ask('clock', minutes * 60_000)
    await deployment.node().ask('drain')
  }
  const mails = await deployment.sql(`select state, reason, count(*)::int as count from mails where state <> 'sent' group by 1, 2`)
  const jobs = await deployment.sql(`select subscriber, last_error, count(*)::int as count from jobs where state <> 'done' group by 1, 2`)
  return [
    ...mails.map(({ count, state, reason }) => `${Number(count)} emails are ${String(state)}: ${String(reason)}`),
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

/** Without the store's marker no node may start until an operator adopts the store. */
async function refusedUntilAdopted(deployment: Deployment, files: string): Promise<string[]> {
  const environment = { DATA_DIR: deployment.folder, ...(deployment.postgres ? { DATABASE_URL: deployment.postgres.url() } : {}) }
  await deployment.node().stop()
  empty(files)
  const refused = await startService({ environment: { ...settingsFor(deployment.network), ...environment } }).then(
    () => 'it started',
    (error: unknown) => String(error),
  )
  const output = adoptStore(environment)
  await deployment.start()
  return [
    ...(refused.includes('npm run files -- adopt') ? [] : [`an emptied store was accepted: ${refused.slice(0, 300)}`]),
    ...(/certificate +\d+ files +\d+ missing: \d+ made again/.test(output) ? [] : [`adopting printed: ${output}`]),
  ]
}

export const store: FaultTest[] = [
  {
    id: 'store-emptied',
    title: 'the file store is emptied while documents are sold and read',
    invariant: 'no email is abandoned, no document changes, documents answer only 200 or 503; an emptied store must be adopted',
    needs: 'PostgreSQL',
    run: rounds => emptyStore(rounds(20)),
  },
]
