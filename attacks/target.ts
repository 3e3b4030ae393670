import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { postgresPrograms, startPostgres } from '#fault-tests/harness/postgres.ts'
import { startService } from '#fault-tests/harness/service.ts'

/** What is attacked, and what the oracle may look into. */
export type Target = {
  origin: string
  network: CardNetwork
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  invariants(): Promise<string[]>
  /** So many milliseconds ahead of the real time. */
  clock(ms: number): Promise<unknown>
  drain(): Promise<unknown>
  log(): string
  /** Undefined where attacker and attacked share one process. */
  memory(): Promise<number> | undefined
  /** From now on it is looked how long the loop is held; `held` gives milliseconds. Undefined likewise. */
  watch(): Promise<unknown> | undefined
  held(): Promise<number> | undefined
  alive(): boolean
  stop(): Promise<void>
}

export const webhookSecret = 'whsec_of_the_attacks_alone'
export const inboundSecret = 'the secret of the attacks alone'

/** What the service is told so that it takes cards from the stand-in, and mail stays in its own outbox. */
export const environmentFor = (network: CardNetwork): Record<string, string> => ({
  STRIPE_SECRET_KEY: network.secretKey,
  STRIPE_PUBLISHABLE_KEY: network.publishableKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: network.url,
  INBOUND_MAIL_ADDRESS: 'tickets@in.portolan.example',
  INBOUND_MAIL_SECRET: inboundSecret,
  RATE_LIMIT_PER_MINUTE: '10000000',
  SALES_PER_MINUTE: '20000/20000',
  // More than any race of sales sends, and few enough for a flood to meet (G94).
  MAILS_PER_MINUTE: '3000/20000',
})

/** The service in a process of its own: on PostgreSQL where that is installed, else on the embedded database. */
export async function startTarget(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-attacks-'))
  const network = await startCardNetwork()
  const postgres = postgresPrograms() ? await startPostgres() : undefined
  const environment = { ...environmentFor(network), DATA_DIR: folder, ...(postgres ? { DATABASE_URL: postgres.url() } : {}) }
  const service = await startService({ program: 'fault-tests/harness/node.ts', node: ['--expose-gc'], environment })
  network.webhooksTo({ url: `${service.origin}/api/payments/webhook`, secret: webhookSecret, backoff: [200, 1000] })
  return {
    origin: service.origin,
    network,
    sql: (text, values = []) => service.ask('sql', text, values),
    invariants: () => service.ask('invariants'),
    clock: ms => service.ask('clock', ms),
    drain: () => service.ask('drain'),
    log: () => service.log(),
    memory: async () => (await service.ask('memory')).used,
    watch: () => service.ask('watchWork'),
    held: () => service.ask('longestWorkMs'),
    alive: () => service.alive(),
    async stop() {
      await service.stop()
      await network.stop()
      await postgres?.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
