import { join } from 'node:path'
import type { Postgres } from '#fault-tests/harness/postgres.ts'
import { openSetup, type Setup } from '../setup.ts'

/** A service with a database of its own. */
export type Side = Setup & { database: string }
/** `bare` makes no documents and sends no mail after a sale. */
export type Sides = { bare: Side; full: Side; stop(): Promise<void> }

/** Opens both with default settings, so that each can be measured in turn with the other. */
export async function openSides(postgres: Postgres | undefined): Promise<Sides> {
  const bare = await openSide(postgres, 'sale_bare', { JOBS: 'off', DOCUMENTS_WAIT_MS: '0' })
  const full = await openSide(postgres, 'sale_full', {})
  return {
    bare,
    full,
    async stop() {
      await bare.stop()
      await full.stop()
    },
  }
}

async function openSide(postgres: Postgres | undefined, database: string, environment: Record<string, string>): Promise<Side> {
  if (!postgres) return { ...(await openSetup(undefined, environment)), database }
  await postgres.query(`create database ${database}`, 'postgres')
  const locations = { DATABASE_URL: postgres.url(database), FILE_STORE: `file:${join(postgres.folder, `files-${database}`)}` }
  return { ...(await openSetup(postgres, { ...locations, ...environment })), database }
}
