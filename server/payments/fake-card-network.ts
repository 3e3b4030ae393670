import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import type { Config } from '#server/config.ts'

const program = join(import.meta.dirname, '../../fakes/card-network/main.ts')

type Keys = Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_PUBLISHABLE_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_URL'>

export type FakeCardNetwork = {
  /** What the service is configured with to speak to it. */
  keys: Keys
  /** From when the service listens, it is told what happens. */
  tell(origin: string): Promise<void>
  stop(): void
}

/** A trial without keys of its own is given a card network that moves no money: a process beside the service, which ends with it. */
export const needsFakeCardNetwork = ({ STRIPE_SECRET_KEY, production }: Pick<Config, 'STRIPE_SECRET_KEY' | 'production'>): boolean =>
  !STRIPE_SECRET_KEY && !production

export async function startFakeCardNetwork({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, compileCache?: string): Promise<FakeCardNetwork> {
  const keys = {
    STRIPE_SECRET_KEY: `sk_test_standin${randomBytes(12).toString('hex')}`,
    STRIPE_PUBLISHABLE_KEY: fakeCardKey,
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(16).toString('hex')}`,
  }
  // With a database server there is no such folder yet.
  mkdirSync(DATA_DIR, { recursive: true })
  const child = spawn(process.execPath, [program], {
    env: { CARD_NETWORK_PORT: '0', CARD_NETWORK_FILE: join(DATA_DIR, 'card-network.json'), NODE_COMPILE_CACHE: compileCache, ...keys },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the fake card network ended before it was ready')))
    if (!child.stdout) return reject(new Error('the fake card network cannot be heard'))
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.startsWith('ready ')) resolve(line.slice('ready '.length))
    })
  })
  return {
    keys: { ...keys, STRIPE_API_URL: url },
    tell: async origin => {
      const endpoint = { url: new URL('/api/payments/webhook', origin).href, secret: keys.STRIPE_WEBHOOK_SECRET }
      await fetch(new URL('/control/webhooks/endpoint', url), { method: 'POST', body: JSON.stringify(endpoint) })
    },
    stop: () => void (child.connected && child.disconnect()),
  }
}
