import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Drill, random, type Result } from './drill.ts'
import { openMailServer } from './rig/mailbox.ts'
import { countsOf, faultsOf, sellUntil, soldSoFar } from './rig/sellers.ts'
import { startService } from './rig/service.ts'
import { openShop, settingsFor, type Shop } from './rig/shop.ts'
import { takeStore } from './rig/store.ts'

/** The file store is emptied again and again while eight sell and others open what was sold. */
async function emptied(times: number): Promise<Result> {
  const post = await openMailServer()
  const shop = await openShop({ environment: { SMTP_URL: post.url } })
  const before = await soldSoFar(shop)
  const files = join(shop.folder, 'files')
  const seen = new Map<string, string>()
  const found: string[] = []
  let over = false
  const selling = sellUntil(shop, 8, () => over)
  const reading = readUntil(shop, seen, found, () => over)
  for (let time = 0; time < times; time++) {
    await delay(random(500, 1_500))
    empty(files)
  }
  over = true
  const sold = await selling
  await reading
  found.push(...(await faultsOf(shop, sold, before)), ...(await unsentMails(shop)))
  // Jobs that a retry has left for later.
  empty(files)
  const rows = await papersOf(shop)
  for (const id of rows) await read(shop, id, seen, found)
  const [row] = await shop.sql(`select count(*)::int as mails from mails where template = 'policy_purchased'`)
  if (Number(row?.['mails']) !== sold.sales.length) found.push(`${Number(row?.['mails'])} mails of ${sold.sales.length} sales`)
  const told = await metric(shop, 'portolan_files_missing_total')
  if (told === 0) found.push('no metric tells of what was made again')
  if ((await metric(shop, 'portolan_defects_total')) > 0) found.push('there were defects')
  found.push(...(await refusedUntilTaken(shop, files)))
  await shop.stop()
  await post.stop()
  return { counts: { emptied: times, ...countsOf(sold), papers: seen.size, 'made again': told }, faults: found }
}

const empty = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

async function papersOf(shop: Shop): Promise<string[]> {
  const rows = await shop.sql(`select id from files where state = 'ready' and business_unit_id = $1`, [shop.agent.unitId])
  return rows.map(({ id }) => String(id))
}

async function readUntil(shop: Shop, seen: Map<string, string>, found: string[], enough: () => boolean): Promise<void> {
  while (!enough()) {
    for (const id of (await papersOf(shop)).toSorted(() => Math.random() - 0.5).slice(0, 20)) await read(shop, id, seen, found)
    await delay(20)
  }
}

/** The very same at each look; a store that is being emptied may put one off. */
async function read(shop: Shop, id: string, seen: Map<string, string>, found: string[]): Promise<void> {
  const reply = await fetch(`${shop.origin}/api/files/${id}`, { headers: shop.agent.headers })
  const hash = createHash('sha256')
    .update(Buffer.from(await reply.arrayBuffer()))
    .digest('hex')
  if (reply.status === 503) return
  if (reply.status !== 200) found.push(`a paper was answered with ${reply.status}`)
  else if ((seen.get(id) ?? hash) !== hash) found.push(`${id} is not what it was`)
  else seen.set(id, hash)
}

/** A minute later each has left: none is given up, none waits for what cannot come. */
async function unsentMails(shop: Shop): Promise<string[]> {
  for (const minutes of [1, 5, 30]) {
    await shop.node().ask('clock', minutes * 60_000)
    await shop.node().ask('drain')
  }
  const mails = await shop.sql(`select state, reason, count(*)::int as count from mails where state <> 'sent' group by 1, 2`)
  const jobs = await shop.sql(`select subscriber, last_error, count(*)::int as count from jobs where state <> 'done' group by 1, 2`)
  return [
    ...mails.map(({ count, state, reason }) => `${Number(count)} mails are ${String(state)}: ${String(reason)}`),
    ...jobs.map(
      ({ count, subscriber, last_error }) => `${Number(count)} jobs of ${String(subscriber)} are not done: ${String(last_error)}`,
    ),
  ]
}

async function metric(shop: Shop, name: string): Promise<number> {
  const { text } = await shop.ask('/metrics')
  const lines = text.split('\n').filter(line => line.startsWith(name))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** The marker went with the files: no node starts until an operator takes the store. */
async function refusedUntilTaken(shop: Shop, files: string): Promise<string[]> {
  const environment = { DATA_DIR: shop.folder, ...(shop.postgres ? { DATABASE_URL: shop.postgres.url() } : {}) }
  await shop.node().stop()
  empty(files)
  const refused = await startService({ environment: { ...settingsFor(shop.network), ...environment } }).then(
    () => 'it started',
    (error: unknown) => String(error),
  )
  const said = takeStore(environment)
  await shop.start()
  return [
    ...(refused.includes('npm run files -- adopt') ? [] : [`an emptied store was not refused: ${refused.slice(0, 300)}`]),
    ...(/certificate +\d+ files +\d+ missing: \d+ made again/.test(said) ? [] : [`adopting said: ${said}`]),
  ]
}

export const store: Drill[] = [
  {
    id: 'store-emptied',
    title: 'the file store is emptied while eight sell and their papers are read',
    invariant:
      'no mail is given up, every paper is the very same at each look, nothing is answered but 200 or 503; the store must be adopted',
    needs: 'PostgreSQL',
    run: rounds => emptied(rounds(20)),
  },
]
