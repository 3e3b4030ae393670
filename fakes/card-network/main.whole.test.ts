import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Stripe } from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cards-'))
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Starts the process as the demo does, with an IPC channel to the parent. */
async function start(): Promise<{ child: ChildProcess; url: URL }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, CARD_NETWORK_FILE: join(folder, 'cards.json'), STRIPE_SECRET_KEY: 'sk_test_own' },
  })
  children.push(child)
  if (!child.stdout) throw new Error('no output')
  // Safe: `line` passes the text.
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, url: new URL(line.replace(/^ready /, '')) }
}

const clientFor = ({ hostname, port }: URL): Stripe =>
  new Stripe('sk_test_own', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })

test('the process prints its address, ends with its parent and keeps its data', async () => {
  const first = await start()
  expect(first.url.hostname).toBe('127.0.0.1')
  const { id } = await clientFor(first.url).paymentIntents.create({ amount: 4250, currency: 'eur' })
  first.child.disconnect()
  expect(await once(first.child, 'exit')).toEqual([0, null])
  const second = await start()
  // A signal to the process group must not end it while the server still finishes a sale.
  second.child.kill('SIGTERM')
  expect(await clientFor(second.url).paymentIntents.retrieve(id)).toMatchObject({ amount: 4250 })
  second.child.disconnect()
  expect(await once(second.child, 'exit')).toEqual([0, null])
})

test('the browser form is one plain script without eval or imports', async () => {
  const { url } = await start()
  const reply = await fetch(new URL('/stripe.js', url))
  expect(reply.headers.get('content-type')).toMatch(/^text\/javascript/)
  const script = await reply.text()
  expect(script).toContain('Número de la tarjeta')
  expect(script).not.toMatch(/\beval\(|new Function|^\s*(?:import|export) /m)
})
