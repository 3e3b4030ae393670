import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { type Agent, type Ask, asker, signIn } from '#testing/agent.ts'
import { freePort, type Postgres, postgresPrograms, startPostgres } from '#testing/postgres.ts'
import { type Service, startService } from '#testing/service.ts'

/** A server that can be killed and restarted on the same port, with its database and card network. */
export type Deployment = {
  postgres: Postgres | undefined
  network: CardNetwork
  folder: string
  origin: string
  ask: Ask
  agent: Agent
  /** Returns the current process. */
  node(): Service
  /** Starts a process, with changes to its environment. */
  start(changes?: Record<string, string>): Promise<void>
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

export type DeploymentOptions = {
  database?: 'postgres' | 'embedded'
  environment?: Record<string, string>
  node?: string[]
  postgres?: Postgres
  /** The database URL, if it differs from that of `postgres`. */
  databaseUrl?: string
}

export const webhookSecret = 'whsec_fault_tests_only'

export async function openDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-fault-test-'))
  const network = await startCardNetwork()
  const usesPostgres = (options.database ?? 'postgres') === 'postgres' && postgresPrograms()
  const postgres = options.postgres ?? (usesPostgres ? await startPostgres() : undefined)
  const port = await freePort()
  const url = options.databaseUrl ?? postgres?.url()
  const environment = {
    ...settingsFor(network),
    PORT: String(port),
    DATA_DIR: folder,
    ...(url ? { DATABASE_URL: url } : {}),
    ...options.environment,
  }
  const start = (changes: Record<string, string> = {}) =>
    startService({ program: 'testing/node.ts', node: options.node ?? [], environment: { ...environment, ...changes } })
  let node = await start()
  const { origin } = node
  network.webhooksTo({ url: `${origin}/api/payments/webhook`, secret: webhookSecret, backoff: [100, 500, 2000, 5000] })
  const ask = asker(() => origin)
  return {
    postgres,
    network,
    folder,
    origin,
    ask,
    agent: await signIn(ask, 'agent@azahar.example'),
    node: () => node,
    async start(changes) {
      node = await start(changes)
    },
    sql: (text, values = []) => node.ask('sql', text, values),
    async stop() {
      await node.stop()
      await network.stop()
      if (!options.postgres) await postgres?.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Returns settings with the fake card network, and limits that no fault test reaches. */
export const settingsFor = (network: CardNetwork): Record<string, string> => ({
  STRIPE_SECRET_KEY: network.secretKey,
  STRIPE_PUBLISHABLE_KEY: network.publishableKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: network.url,
  RATE_LIMIT_PER_MINUTE: '10000000',
  SALES_PER_MINUTE: '10000000/10000000',
  MAILS_PER_MINUTE: '10000000/10000000',
  LOG_LEVEL: 'error',
})
