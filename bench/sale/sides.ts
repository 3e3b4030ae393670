import { join } from 'node:path'
import type { Postgres } from '#fault-tests/harness/postgres.ts'
import { openSetup, type Setup } from '../setup.ts'

/** A service with a database of its own. Without `jobs` nothing follows a sale. */
export type Side = Setup & { database: string; jobs: boolean }
/** `bare` makes no documents and sends no mail after a sale. */
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

async function openSide(postgres: Postgres | undefined, named: Pick<Side, 'database' | 'jobs'>): Promise<Side> {
  const { database, jobs } = named
  const environment = jobs ? {} : { JOBS: 'off', DOCUMENTS_WAIT_MS: '0' }
  if (!postgres) return { ...(await openSetup(undefined, environment)), ...named }
  await postgres.query(`create database ${database}`, 'postgres')
  const locations = { DATABASE_URL: postgres.url(database), FILE_STORE: `file:${join(postgres.folder, `files-${database}`)}` }
  return { ...(await openSetup(postgres, { ...locations, ...environment })), ...named }
}
