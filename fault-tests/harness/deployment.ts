import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { type Agent, type Ask, asker, signIn } from './agent.ts'
import { freePort, type Postgres, postgresPrograms, startPostgres } from './postgres.ts'
import { type Service, startService } from './service.ts'

/** A service that can be struck down and started again at the same place, with its database and its card network. */
export type Deployment = {
  postgres: Postgres | undefined
  network: CardNetwork
  folder: string
  origin: string
  ask: Ask
  agent: Agent
  /** The process that runs just now. */
  node(): Service
  start(): Promise<void>
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

export type DeploymentOptions = {
  database?: 'postgres' | 'embedded'
  environment?: Record<string, string>
  node?: string[]
  postgres?: Postgres
  /** Where the service finds the database, when not at its own place. */
  databaseUrl?: string
}

export const webhookSecret = 'whsec_of_the_drills_alone'

export async function openDeployment(wish: DeploymentOptions = {}): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-fault-test-'))
  const network = await startCardNetwork()
  const wanted = (wish.database ?? 'postgres') === 'postgres' && postgresPrograms()
  const postgres = wish.postgres ?? (wanted ? await startPostgres() : undefined)
  const port = await freePort()
  const url = wish.databaseUrl ?? postgres?.url()
  const environment = {
    ...settingsFor(network),
    PORT: String(port),
    DATA_DIR: folder,
    ...(url ? { DATABASE_URL: url } : {}),
    ...wish.environment,
  }
  const start = () => startService({ program: 'fault-tests/harness/node.ts', node: wish.node ?? [], environment })
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
    async start() {
      node = await start()
    },
    sql: (text, values = []) => node.ask('sql', text, values),
    async stop() {
      await node.stop()
      await network.stop()
      if (!wish.postgres) await postgres?.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Cards from the fake card network, mail kept in the outbox, and no limit that a fault test would meet. */
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
