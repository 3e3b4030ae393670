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
  /** The configuration with which the service calls it. */
  keys: Keys
  /** Sets the service's origin, to which events are sent from then on. */
  sendEventsTo(origin: string): Promise<void>
  /** Sets how far its clock is ahead of real time. */
  moveClock(aheadMs: number): Promise<void>
  stop(): void
}

/**
 * True for a trial without keys of its own. It gets a fake card network: a process beside the service, which ends with it and moves no
 * money.
 */
export const needsFakeCardNetwork = ({ STRIPE_SECRET_KEY, production }: Pick<Config, 'STRIPE_SECRET_KEY' | 'production'>): boolean =>
  !STRIPE_SECRET_KEY && !production

export async function startFakeCardNetwork({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, compileCache?: string): Promise<FakeCardNetwork> {
  const keys = {
    STRIPE_SECRET_KEY: `sk_test_standin${randomBytes(12).toString('hex')}`,
    STRIPE_PUBLISHABLE_KEY: fakeCardKey,
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(16).toString('hex')}`,
  }
  // With a database server the folder may not exist yet.
  mkdirSync(DATA_DIR, { recursive: true })
  const child = spawn(process.execPath, [program], {
    env: { CARD_NETWORK_PORT: '0', CARD_NETWORK_FILE: join(DATA_DIR, 'card-network.json'), NODE_COMPILE_CACHE: compileCache, ...keys },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the fake card network ended before it was ready')))
    if (!child.stdout) return reject(new Error('the fake card network has no output'))
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.startsWith('ready ')) resolve(line.slice('ready '.length))
    })
  })
  const control = async (path: string, body: object) => {
    const { status } = await fetch(new URL(`/control/${path}`, url), { method: 'POST', body: JSON.stringify(body) })
    if (status !== 200) throw new Error(`the fake card network answered ${path} with ${status}`)
  }
  return {
    keys: { ...keys, STRIPE_API_URL: url },
    sendEventsTo: origin =>
      control('webhooks/endpoint', { url: new URL('/api/payments/webhook', origin).href, secret: keys.STRIPE_WEBHOOK_SECRET }),
    moveClock: aheadMs => control('clock', { aheadMs }),
    stop: () => void (child.connected && child.disconnect()),
  }
}
