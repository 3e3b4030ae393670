import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Postgres } from '#testing/postgres.ts'
import { seed } from '../filled.ts'
import { openSetup, type Setup } from '../setup.ts'

/** A service with its own database. Without `jobs`, nothing follows a sale. */
export type Side = Setup & {
  database: string
  jobs: boolean
  /** Restarts the service so that the serving process also runs the jobs. Only its own statements can be recorded. */
  withJobsInside(): Promise<Side>
}
/** `bare` makes no documents and sends no email after a sale. */
export type Sides = { bare: Side; full: Side; stop(): Promise<void> }

/** Opens both with default settings, so that each can be measured in turn with the other. */
export async function openSides(postgres: Postgres | undefined): Promise<Sides> {
  const bare = await openSide(postgres, { database: 'sale_bare', jobs: false })
  const full = await openSide(postgres, { database: 'sale_full', jobs: true })
  return {
    bare,
    full,
    async stop() {
      await bare.stop()
      await full.stop()
    },
  }
}

/** The number of existing policies. For tables that it has never seen with rows, PostgreSQL would plan full scans. */
const before = { policies: 20_000, others: 0 }

async function openSide(postgres: Postgres | undefined, named: Pick<Side, 'database' | 'jobs'>): Promise<Side> {
  const { database, jobs } = named
  const folder = mkdtempSync(join(tmpdir(), 'portolan-side-'))
  await postgres?.query(`create database ${database}`, 'postgres')
  const server = postgres && { DATABASE_URL: postgres.url(database), FILE_STORE: `file:${join(postgres.folder, `files-${database}`)}` }
  const locations = { DATA_DIR: folder, ...server }
  seed(before, locations)
  if (jobs) await finishNight(postgres, locations)
  await postgres?.query('vacuum analyze', database)
  const open = (changes: Record<string, string>) => openSetup(postgres, { ...locations, ...changes })
  let setup = await open(jobs ? { JOBS: postgres ? 'beside' : 'on' } : { JOBS: 'off', DOCUMENTS_WAIT_MS: '0' })
  const side: Side = {
    ...setup,
    ...named,
    async withJobsInside() {
      if (!jobs || !postgres) return side
      await setup.stop()
      setup = await open({})
      return { ...side, ...setup, stop: () => side.stop() }
    },
    async stop() {
      await setup.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return side
}

/** Does the nightly work caused by the seeded policies. It would otherwise run during the measured sales. */
async function finishNight(postgres: Postgres | undefined, locations: Record<string, string>): Promise<void> {
  const night = await openSetup(postgres, { ...locations, JOBS: 'off' })
  await night.service.ask('retain')
  await night.service.ask('close')
  await night.service.ask('drain')
  await night.stop()
}
