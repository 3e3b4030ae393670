import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openApp } from './app.ts'
import { leave as end, settings } from './command.ts'
import type { Config } from './config.ts'
import { explain } from './explain.ts'
import { openDatabase } from './kit/database.ts'
import { needsFakeCardNetwork, type FakeCardNetwork, startFakeCardNetwork } from './payments/fake-card-network.ts'

await run(settings(process.env))

async function run(config: Config): Promise<void> {
  let fakeCardNetwork: FakeCardNetwork | undefined
  try {
    const first = isFirst(config)
    let starting: Promise<FakeCardNetwork> | undefined
    const database = await openDatabase(config, async () => {
      await findFree(config)
      if (first) say(`Making the embedded database in ${config.DATA_DIR} …`)
      if (needsFakeCardNetwork(config)) starting = startFakeCardNetwork(config, process.env['NODE_COMPILE_CACHE'])
    })
    fakeCardNetwork = await starting
    const app = await openApp({ ...config, ...fakeCardNetwork?.keys }, database, { say })
    await app.front.http.listen({ port: config.PORT, host: config.HOST })
    app.start()
    await fakeCardNetwork?.sendEventsTo(reachable(app.front.http.listeningOrigin))
    const leaveOnce = once(() => leave(() => app.stop().finally(() => fakeCardNetwork?.stop()), config.STOP_DELAY_MS))
    // npm, a terminal and a supervisor each send it, so it may come more than once: a signal without a listener would end the process at once.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leaveOnce)
    // Started by `npm start`: when that is gone, however it went, nobody would stop this process any more.
    process.once('disconnect', leaveOnce)
    // Only now: a signal may come as soon as this is read.
    process.stdout.write(`ready ${app.front.http.listeningOrigin}\n`)
  } catch (error) {
    fakeCardNetwork?.stop()
    end(explain(error, config))
  }
}

/** A port or a host that cannot be had is told before anything is made. */
async function findFree({ PORT: port, HOST: host }: Config): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen({ port, host }, resolve)
  })
  await new Promise(resolve => probe.close(resolve))
}

/** Where an embedded database is still to be made, which takes some seconds. */
function isFirst({ DATABASE_URL, DATA_DIR }: Config): boolean {
  return !DATABASE_URL && !existsSync(join(DATA_DIR, 'postgres'))
}

/** Whoever listens everywhere is found on this machine, too. */
function reachable(origin: string): string {
  return origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]')
}

/** A step that takes its time says so. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

function once(work: () => Promise<void>): () => void {
  let begun = false
  return () => {
    if (!begun) void work()
    begun = true
  }
}

/** What is in flight is finished; who takes longer than a supervisor's patience is cut off. */
async function leave(stop: () => Promise<void>, delayMs: number): Promise<void> {
  setTimeout(() => process.exit(1), delayMs + 25_000).unref()
  await stop()
  process.exit(0)
}
