import { openApp } from './app.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './kit/database.ts'
import { FolderLocked } from './kit/folder-lock.ts'

const config = readConfig(process.env)
if (Array.isArray(config)) end(['The configuration is not usable:', ...config.map(({ name, fault }) => `  ${name} ${fault}`)].join('\n'))
else await run(config)

async function run(config: Exclude<ReturnType<typeof readConfig>, unknown[]>): Promise<void> {
  try {
    const app = await openApp(config, await openDatabase(config))
    await app.front.http.listen({ port: config.PORT, host: config.HOST })
    app.start()
    const address = app.front.http.server.address()
    const port = typeof address === 'object' && address ? address.port : config.PORT
    process.stdout.write(`ready http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}\n`)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void leave(() => app.stop()))
  } catch (error) {
    end(explain(error, config.PORT, config.DATA_DIR))
  }
}

/** What is in flight is finished; who takes longer than a supervisor's patience is cut off. */
async function leave(stop: () => Promise<void>): Promise<void> {
  setTimeout(() => process.exit(1), 25_000).unref()
  await stop()
  process.exit(0)
}

/** One clear line saying what to do, for what an operator can mend; the whole error for what he cannot. */
function explain(error: unknown, port: number, folder: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof FolderLocked) return message
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program. Stop it, or choose another with PORT=…`
  if (code === 'EACCES') return `No permission for port ${port} or the folder ${folder}. Choose others with PORT=… and DATA_DIR=…`
  if (code === 'ENOSPC') return `The disk that holds ${folder} is full. Make room, or choose another folder with DATA_DIR=…`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `No database answers at DATABASE_URL (${code}). Is it running, and is the address right?`
  if (code === '28P01' || code === '3D000') return `The database at DATABASE_URL refuses: ${message}`
  return error instanceof Error ? (error.stack ?? message) : String(error)
}

function end(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
