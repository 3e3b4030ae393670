import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const command = join(import.meta.dirname, '../../server/documents/marker/files-command.ts')

/** Runs `npm run files -- adopt` and returns its output. */
export function adoptStore(environment: Record<string, string>): string {
  return execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', command, 'adopt'], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    stdio: 'pipe',
  })
}
