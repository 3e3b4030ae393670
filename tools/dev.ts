import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { environment, root } from './processes.ts'
import { proxied } from './proxied.ts'
import { say } from './steps.mjs'

// The service restarts when one of its files is saved. Vite serves the portal and puts each change into the open page.

if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
const port = Number(process.env['PORT'] ?? 3000)
const behind = port + 1

const service = spawn(
  process.execPath,
  ['--watch-path=server', '--watch-path=common', '--watch-path=catalogue', '--watch-preserve-output', join(root, 'server/main.ts')],
  {
    cwd: root,
    env: { ...environment, PORT: String(behind), PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://127.0.0.1:${port}` },
    stdio: 'inherit',
  },
)
const target = `http://127.0.0.1:${behind}`
const portal = await createServer({
  configFile: join(root, 'vite.config.ts'),
  server: { port, host: '127.0.0.1', proxy: proxied(target) },
})
await portal.listen()
say(`portal http://127.0.0.1:${port}, service ${target}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.kill(signal))
// Safe: `exit` passes the status first.
const [code] = (await once(service, 'exit')) as [number | null]
await portal.close()
process.exit(code ?? 0)
