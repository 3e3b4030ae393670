import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { explain } from './explain.ts'
import { openEngineThread } from './kit/engine/in-thread.ts'
import { ownFolder, seemsEmbedded } from '#server/kit/engine/own-folder.ts'
import { dividePool } from './kit/work/divide-pool.ts'
import { loadSoon } from './kit/work/later.ts'
import { needsFakeCardNetwork, type FakeCardNetwork, startFakeCardNetwork } from './payments/fake-card-network.ts'

// The thread loads the engine while this one reads the settings, which takes as long.
const thread = seemsEmbedded(process.env) ? openEngineThread() : undefined
const [{ asLog, settings }, { withoutSettings }] = await Promise.all([import('./command.ts'), import('./config.ts')])
await run(settings(process.env, asLog))

async function run(config: Config): Promise<void> {
  let fakeCardNetwork: FakeCardNetwork | undefined
  try {
    const isFirst = isFirstStart(config)
    let starting: Promise<FakeCardNetwork> | undefined
    const begin = async () => {
      await checkAddress(config)
      if (isFirst) asLog.say(`Making the embedded database in ${config.DATA_DIR} …`)
      if (needsFakeCardNetwork(config)) starting = startFakeCardNetwork(config, process.env['NODE_COMPILE_CACHE'])
    }
    // The embedded database belongs to one process, which then does the jobs, too.
    const jobsProgram = config.DATABASE_URL
      ? { path: join(import.meta.dirname, 'jobs.ts'), environment: withoutSettings(process.env) }
      : undefined
    const pool = jobsProgram ? dividePool(config.DATABASE_POOL).serving : config.DATABASE_POOL
    if (jobsProgram) thread?.end()
    const own = jobsProgram ? undefined : await ownFolder(config.DATA_DIR, begin, thread)
    // Loading takes as long as the engine's start, which goes on in its thread, and that of the card network.
    const [{ openApp }, { openDatabase, openOwn }, { logForNode }] = await Promise.all([
      import('./app.ts'),
      import('./kit/database.ts'),
      import('./kit/log.ts'),
    ])
    const database = await (own ? openOwn(own, config) : openDatabase({ ...config, DATABASE_POOL: pool }, begin))
    fakeCardNetwork = await starting
    const app = await openApp({ ...config, ...fakeCardNetwork?.keys }, database, { say: asLog.say, jobsProgram })
    logForNode(app.world.log)
    await app.world.businessClock.whenSet(aheadMs => fakeCardNetwork?.moveClock(aheadMs))
    await app.context.http.listen({ port: config.PORT, host: config.HOST })
    app.start()
    loadSoon(app.world.log)
    await fakeCardNetwork?.sendEventsTo(reachable(app.context.http.listeningOrigin))
    const stopOnce = once(() => stopAndExit(() => app.stop().finally(() => fakeCardNetwork?.stop()), config.STOP_DELAY_MS))
    // A signal may come more than once: npm, a terminal and a supervisor each send it. Without a listener it would end the process at once.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopOnce)
    // `npm start` is the parent process. If it is gone, for whatever reason, nothing else would stop this process.
    process.once('disconnect', stopOnce)
    // Written last, because a signal may come as soon as a supervisor reads this.
    process.stdout.write(`ready ${app.context.http.listeningOrigin}\n`)
  } catch (error) {
    fakeCardNetwork?.stop()
    asLog.leave(explain(error, config))
  }
}

/** Throws if the port or the host cannot be used, before anything is created. */
async function checkAddress({ PORT: port, HOST: host }: Config): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen({ port, host }, resolve)
  })
  await new Promise(resolve => probe.close(resolve))
}

/** True if the embedded database does not exist yet; creating it takes some seconds. */
function isFirstStart({ DATABASE_URL, DATA_DIR }: Config): boolean {
  return !DATABASE_URL && !existsSync(join(DATA_DIR, 'postgres'))
}

/** Returns an origin that this machine can reach, also for a server that listens on all addresses. */
function reachable(origin: string): string {
  return origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]')
}

function once(work: () => Promise<void>): () => void {
  let begun = false
  return () => {
    if (!begun) void work()
    begun = true
  }
}

/** Finishes running requests, then exits. After 25 s more than the delay it exits at once, before a supervisor would kill it. */
async function stopAndExit(stop: () => Promise<void>, delayMs: number): Promise<void> {
  setTimeout(() => process.exit(1), delayMs + 25_000).unref()
  await stop()
  process.exit(0)
}
