import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openApp } from './app.ts'
import { leave as end, settings } from './command.ts'
import type { Config } from './config.ts'
import { RolesMissing } from './database/roles/ensure.ts'
import { WrongStore } from './documents/marker/claim.ts'
import { openDatabase } from './kit/database.ts'
import { needsStandIn, type StandIn, startStandIn } from './payments/stand-in.ts'
import { FolderLocked } from '#server/kit/store/folder-lock.ts'
import { SecretsKeyError } from '#server/kit/store/secrets.ts'

await run(settings(process.env))

async function run(config: Config): Promise<void> {
  let standIn: StandIn | undefined
  try {
    const first = isFirst(config)
    let starting: Promise<StandIn> | undefined
    const database = await openDatabase(config, async () => {
      await findFree(config)
      if (first) say(`Making the embedded database in ${config.DATA_DIR} …`)
      if (needsStandIn(config)) starting = startStandIn(config, process.env['NODE_COMPILE_CACHE'])
    })
    standIn = await starting
    const app = await openApp({ ...config, ...standIn?.keys }, database, { say })
    await app.front.http.listen({ port: config.PORT, host: config.HOST })
    app.start()
    await standIn?.tell(reachable(app.front.http.listeningOrigin))
    const leaveOnce = once(() => leave(() => app.stop().finally(() => standIn?.stop()), config.STOP_DELAY_MS))
    // npm, a terminal and a supervisor each send it, so it may come more than once: a signal without a listener would end the process at once.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leaveOnce)
    // Started by `npm start`: when that is gone, however it went, nobody would stop this process any more.
    process.once('disconnect', leaveOnce)
    // Only now: a signal may come as soon as this is read.
    process.stdout.write(`ready ${app.front.http.listeningOrigin}\n`)
  } catch (error) {
    standIn?.stop()
    end(explain(error, config))
  }
}

/** The server's certificate is not what sslmode=verify-full asks for, or it offers none. */
function isOfTls(code: string | undefined, message: string): boolean {
  return /^(?:ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/.test(code ?? '') || message.includes('does not support SSL')
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

/** One clear line saying what to do, for what an operator can mend; the whole error for what he cannot. */
function explain(error: unknown, { PORT, HOST, DATA_DIR }: Config): string {
  const { code, errno, syscall, message } = error as NodeJS.ErrnoException
  if (error instanceof FolderLocked || error instanceof SecretsKeyError || error instanceof WrongStore || error instanceof RolesMissing)
    return message
  if (code === 'EADDRINUSE') return `Port ${PORT} is taken by another program. Stop it, or choose another with PORT=…`
  if (code === 'EACCES' || code === 'EROFS')
    return `No permission for port ${PORT} or the folder ${DATA_DIR}. Choose others with PORT=… and DATA_DIR=…`
  // The embedded database tells of a full disk by its own system's number.
  if (code === 'ENOSPC' || errno === 51)
    return `The disk that holds ${DATA_DIR} is full. Make room, or choose another folder with DATA_DIR=…`
  if (code === 'EADDRNOTAVAIL' || (syscall === 'getaddrinfo' && message.includes(HOST)))
    return `${HOST} is no address of this machine. Choose another with HOST=…`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `No database answers at DATABASE_URL (${code}). Is it running, and is the address right?`
  if (isOfTls(code, message))
    return `The connection to DATABASE_URL is not safe: ${message}. Is sslrootcert the authority that signed the server's certificate, and the host its name?`
  if (code === '42501')
    return `The database's user lacks a right: ${message}. It must own the database and its schema (docs/operations.md, The database's user and roles).`
  if (code === '28P01' || code === '28000' || code === '3D000') return `The database at DATABASE_URL refuses: ${message}`
  return error instanceof Error ? (error.stack ?? message) : String(error)
}
