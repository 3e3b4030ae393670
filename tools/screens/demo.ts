import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../processes.ts'

/** A running demo, and a folder that is deleted with it. */
export type Demo = { origin: string; folder: string }

/** Starts the demo on a database of its own, and stops it after the work. */
export async function withDemo(work: (demo: Demo) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-screens-'))
  const demo = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'server/main.ts')], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    if (!demo.stdout) throw new Error('the demo has no output')
    await work({ origin: await originOf(createInterface({ input: demo.stdout })), folder })
  } finally {
    demo.kill('SIGTERM')
    await once(demo, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function originOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) if (line.startsWith('ready ')) return line.slice('ready '.length)
  throw new Error('the demo ended before it was ready')
}
