import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Postgres } from '#testing/postgres.ts'
import { countStatements } from '#testing/recorder.ts'
import { atMost, type Figure, withoutBaseline } from '../compare.ts'
import { cpuOf, cpuOfAll } from './cpu.ts'
import { openJobs, sellMany, untilAllMade } from './seller.ts'
import type { Side } from './sides.ts'

/** The costs of one sale: CPU time in milliseconds, and PostgreSQL's statements and writes. */
type Costs = {
  service: number
  mainThread: number
  documents: number
  postgres: number
  statements: number
  commits: number
  syncs: number
}

const many = 100

/** The costs of a sale that the issue allows. */
export type Allowed = { statements: number; commits?: number; syncs?: number }

/** Measures the costs of sales, including all work that follows them. */
export async function benchCosts(side: Side, what: string, allowed: Allowed): Promise<Figure[]> {
  await sellMany(side, many)
  const cpu = await cpuOfSale(side)
  const counted = await side.withJobsInside()
  await sellMany(counted, many)
  const written = counted.postgres && (await writesOfSale(counted, counted.postgres))
  const costs: Partial<Costs> = { ...cpu, ...(await statementsOfSale(counted)), ...written }
  const cost = (name: keyof Costs, label: string, unit = '', most?: number): Figure[] => {
    const found = costs[name]
    if (found === undefined) return []
    const { target, met } = atMost(most)
    return [withoutBaseline({ work: `${what}: ${label}`, unit, target }, found, met)]
  }
  return [
    ...cost('service', 'CPU, service', ' ms'),
    ...cost('mainThread', 'CPU, its main thread alone', ' ms'),
    ...cost('documents', 'CPU, processes it started', ' ms'),
    ...cost('postgres', 'CPU, PostgreSQL', ' ms'),
    ...cost('statements', 'statements', '', allowed.statements),
    ...cost('commits', 'commits', '', allowed.commits),
    ...cost('syncs', 'WAL syncs', '', allowed.syncs),
  ]
}

/** Returns the id of the first process of PostgreSQL. */
const pidOf = ({ folder }: Postgres): number => Number.parseInt(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8'), 10)

async function cpuOfSale(side: Side): Promise<Pick<Costs, 'service' | 'mainThread' | 'documents'> & Partial<Costs>> {
  const { service, postgres } = side
  const read = () => ({ ...cpuOf(service.pid), postgres: postgres && cpuOfAll(pidOf(postgres)) })
  await untilAllMade(side)
  const before = read()
  await sellMany(side, many)
  await untilAllMade(side)
  const after = read()
  return {
    service: (after.process - before.process) / many,
    mainThread: (after.mainThread - before.mainThread) / many,
    documents: (after.children - before.children) / many,
    ...(before.postgres === undefined || after.postgres === undefined ? {} : { postgres: (after.postgres - before.postgres) / many }),
  }
}

/** Counts commits and WAL syncs of one caller's sales, because many callers share syncs. The queries of this measurement are not counted. */
async function writesOfSale(side: Side, postgres: Postgres): Promise<Pick<Costs, 'commits' | 'syncs'>> {
  const before = await readCounters(side, postgres)
  await sellMany(side, many, 1)
  const looks = await untilAllMade(side)
  const after = await readCounters(side, postgres)
  return { commits: (after.commits - before.commits - looks - after.connections) / many, syncs: (after.syncs - before.syncs) / many }
}

async function readCounters(
  { service, database }: Side,
  postgres: Postgres,
): Promise<{ commits: number; syncs: number; connections: number }> {
  // PostgreSQL would otherwise update them up to ten seconds later.
  const connections = await service.ask('tellCounters')
  const [version] = await postgres.query('show server_version_num', 'postgres')
  // PostgreSQL 18 moved this counter.
  const syncs =
    Number(version?.['server_version_num']) < 180_000
      ? 'select wal_sync from pg_stat_wal'
      : `select sum(fsyncs) from pg_stat_io where object = 'wal'`
  const [row] = await postgres.query(
    `select xact_commit::int as commits, (${syncs})::int as syncs from pg_stat_database where datname = '${database}'`,
    'postgres',
  )
  return { commits: Number(row?.['commits']), syncs: Number(row?.['syncs']), connections }
}

/** Counts statements of one caller's sales. The recording takes CPU time, so it comes last. */
async function statementsOfSale(side: Side): Promise<Pick<Costs, 'statements' | 'commits'>> {
  await side.service.ask('record')
  await side.service.ask('recorded')
  await sellMany(side, many, 1)
  await untilAllMade(side)
  const recorded = await side.service.ask('recorded')
  const { statements, commits } = countStatements(recorded.filter(({ text }) => text !== openJobs))
  return { statements: statements / many, commits: commits / many }
}
