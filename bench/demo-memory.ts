import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { addDays } from '#common/kit/dates.ts'
import { reach } from '#common/policies/testing.ts'
import { type Agent, asker, type Json, type Reply, saleBody, sell, signIn } from '#testing/agent.ts'
import { freePort } from '#testing/postgres.ts'
import { type Service, startService } from '#testing/service.ts'
import { aPicture, multipart } from '#server/tickets/testing.ts'
import { atMost, type Figure, withoutBaseline } from './compare.ts'
import { descendantsOf } from './sale/cpu.ts'

const atRest = 60_000
const work = { sales: 1000, changes: 300, lists: 500, uploads: 50 }

/** issue 43: memory of the demo and its child processes: after the first start, after another, and after mixed use. */
export async function benchDemoMemory(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-bench-'))
  const figures: Figure[] = []
  const add = (when: string, most: number, service: Service) => {
    const { target, met } = atMost(most, ' MB')
    figures.push(withoutBaseline({ work: `memory of the demo, ${when}`, unit: ' MB', target }, memoryOf(service.pid), met))
  }
  const start = async () =>
    startService({ program: 'serve', environment: { PORT: String(await freePort()), DATA_DIR: folder, LOG_LEVEL: 'warn' } })
  const first = await start()
  await delay(atRest)
  add('a minute after its first start', 550, first)
  await first.stop()
  const second = await start()
  await delay(atRest)
  add('a minute after its second start', 550, second)
  await use(
    await signIn(
      asker(() => second.origin),
      'agent@azahar.example',
    ),
  )
  add(
    `after ${Object.entries(work)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}`,
    800,
    second,
  )
  await delay(atRest)
  add('a minute later', 800, second)
  await second.stop()
  rmSync(folder, { recursive: true, force: true })
  return figures
}

async function use(agent: Agent): Promise<void> {
  const claimed = await sell(agent)
  const { endDate } = saleBody(agent)
  const types: Json[] = (await agent.ask('/api/tickets/types')).body.data
  const typeUuid = types.find(({ kind }) => kind === 'claim').uuid
  const each = (count: number, nth: number) => Math.floor((nth * count) / work.sales) < Math.floor(((nth + 1) * count) / work.sales)
  for (let nth = 0; nth < work.sales; nth++) {
    const sale = await sell(agent)
    if (each(work.changes, nth)) await prolong(agent, sale.policyUuid, addDays(endDate, 4))
    if (each(work.lists, nth))
      await done(agent.ask('/api/policy/list', { body: { page: 1 + (nth % 7), perPage: 100, searchData: nth % 2 ? 'Ana' : '' } }))
    if (each(work.uploads, nth)) await claim(agent, typeUuid, claimed.policyData.policyNumber)
    // Its documents are made before the next sale, as at a counter.
    for (const { uuid } of sale.files) await done(agent.ask(`/api/files/${uuid}`))
  }
}

async function prolong(agent: Agent, policyUuid: string, endDate: string): Promise<void> {
  const change = { policyUuid, version: 1, change: { endDate } }
  const post = (path: string, more: object = {}) =>
    done(agent.ask(path, { body: { ...change, ...more }, headers: { 'idempotency-key': randomUUID() } }))
  const { difference } = await post('/api/policy/change/preview')
  await post('/api/policy/change', {
    expectedDifference: difference.total,
    ...(difference.total > 0 ? { settle: { paymentGatewayUUID: agent.gateway('Deferred') } } : {}),
  })
}

async function claim(agent: Agent, typeUuid: string, policyNumber: string): Promise<void> {
  const fields = {
    typeUuid,
    policyNumber,
    incidentDate: '2026-01-15',
    subject: 'Maleta',
    description: 'Perdida',
    contactEmail: reach.email,
  }
  const { body, type } = multipart({ ...fields, contactPhone: '+34612345678' }, [aPicture])
  await done(agent.ask('/api/tickets/claims', { payload: new Uint8Array(body), headers: { 'content-type': type } }))
}

async function done(asked: Promise<Reply>): Promise<Json> {
  const { status, text, body } = await asked
  if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 200)}`)
  return body?.data
}

/** Returns the megabytes of the service and its child processes, without npm. Shared pages count once. */
function memoryOf(npm: number): number {
  const pids = descendantsOf(npm).map(({ pid }) => pid)
  const commands = pids.map(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  const service = pids[commands.findIndex(command => command.includes('server/main.ts'))] ?? 0
  return [service, ...descendantsOf(service).map(({ pid }) => pid)].reduce((sum, pid) => sum + sizeOf(pid), 0)
}

const sizeOf = (pid: number): number =>
  (Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) * 1024) / 1e6
