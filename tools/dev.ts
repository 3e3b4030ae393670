import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { createServer } from 'vite'
import { environment, root } from './processes.ts'
import { proxied } from './proxied.ts'
import { fail } from './steps.mjs'

// The service restarts when one of its files is saved. Vite serves the portal and applies each change to the open page.

if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
const port = Number(process.env['PORT'] ?? 3000)
const behind = port + 1

const service = spawn(
  process.execPath,
  ['--watch-path=server', '--watch-path=common', '--watch-path=catalogue', '--watch-preserve-output', join(root, 'server/main.ts')],
  {
    cwd: root,
    env: { ...environment, PORT: String(behind), PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://127.0.0.1:${port}` },
    stdio: ['inherit', 'pipe', 'inherit'],
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.kill(signal))

const portal = await createServer({
  configFile: join(root, 'vite.config.ts'),
  server: { port, strictPort: true, host: '127.0.0.1', proxy: proxied(`http://127.0.0.1:${behind}`) },
})
let isServed = false
for await (const line of createInterface({ input: service.stdout })) {
  const text = stripVTControlCharacters(line)
  // The service would wait for a change of a file. That does not help if another process uses its data or its port.
  if (!isServed && text.startsWith('Failed running')) stopWith('The service could not start.')
  if (!text.startsWith('ready ')) process.stdout.write(`${line}\n`)
  else {
    if (!isServed) await portal.listen().catch((error: Error) => stopWith(error.message))
    isServed = true
    process.stdout.write(`ready http://127.0.0.1:${port}, with the service at http://127.0.0.1:${behind}\n`)
  }
}
// Safe: `exit` passes the status first.
const [code] = service.exitCode === null ? ((await once(service, 'exit')) as [number | null]) : [service.exitCode]
await portal.close()
process.exit(code ?? 0)

function stopWith(message: string): never {
  service.kill()
  return fail(message)
}
