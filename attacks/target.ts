import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { postgresPrograms, startPostgres } from '#testing/postgres.ts'
import { startService } from '#testing/service.ts'

/** The server under attack, with access for the oracle. */
export type Target = {
  origin: string
  network: CardNetwork
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  invariants(): Promise<string[]>
  /** Sets the clock this many milliseconds ahead. */
  clock(ms: number): Promise<unknown>
  drain(): Promise<unknown>
  log(): string
  /** Undefined if the attacks run in the server's process. */
  memory(): Promise<number> | undefined
  /** Starts to measure how long the event loop is blocked; `longestWorkMs` returns the milliseconds. Undefined as above. */
  startWatch(): Promise<unknown> | undefined
  longestWorkMs(): Promise<number> | undefined
  alive(): boolean
  stop(): Promise<void>
}

export const webhookSecret = 'whsec_attacks_only'
export const inboundSecret = 'a secret for attacks only'

/** Returns settings with the fake card network and inbound email. */
export const environmentFor = (network: CardNetwork): Record<string, string> => ({
  STRIPE_SECRET_KEY: network.secretKey,
  STRIPE_PUBLISHABLE_KEY: network.publishableKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: network.url,
  INBOUND_MAIL_ADDRESS: 'tickets@in.portolan.example',
  INBOUND_MAIL_SECRET: inboundSecret,
  RATE_LIMIT_PER_MINUTE: '10000000',
  SALES_PER_MINUTE: '20000/20000',
  // More emails than any race of sales sends, but few enough for a flood to reach (G94).
  MAILS_PER_MINUTE: '3000/20000',
  // The default, which tests of the server raise (A129).
  LOOKS_PER_MINUTE: '60/600',
})

/** Starts the server in its own process, on PostgreSQL if installed, else on the embedded database. */
export async function startTarget(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-attacks-'))
  const network = await startCardNetwork()
  const postgres = postgresPrograms() ? await startPostgres() : undefined
  const environment = { ...environmentFor(network), DATA_DIR: folder, ...(postgres ? { DATABASE_URL: postgres.url() } : {}) }
  const service = await startService({ program: 'testing/node.ts', node: ['--expose-gc'], environment })
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
    startWatch: () => service.ask('watchWork'),
    longestWorkMs: () => service.ask('longestWorkMs'),
    alive: () => service.alive(),
    async stop() {
      await service.stop()
      await network.stop()
      await postgres?.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
