import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '#testing/postgres.ts'
import { startService } from '#testing/service.ts'
import { atMost, withoutBaseline, compare, median, type Figure } from './compare.ts'
import { startEcho } from './echo/start.ts'
import { cpuOfAll } from './sale/cpu.ts'

const target = atMost(1500, ' ms')

/** issue 24: measures `npm start` on an existing embedded database, until the first page is served, against the start of the minimal echo server. */
export async function benchStart(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-bench-'))
  const busy: number[] = []
  const start = async () => {
    const port = await freePort()
    const began = performance.now()
    const starting = startService({ program: 'start', environment: { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn' } })
    const served = untilServed(`http://127.0.0.1:${port}/`).then(() => performance.now() - began)
    const service = await starting
    const ms = await served
    busy.push(cpuOfAll(service.pid))
    await service.stop()
    return ms
  }
  await start()
  const figure = await compare(
    {
      work: 'npm start on an existing embedded database, until the first page',
      against: 'start of the bare echo',
      unit: ' ms',
      target: target.target,
      met: (_, ours) => target.met(ours),
      ours: start,
      async baseline() {
        const echo = await startEcho(1000)
        await echo.stop()
        return echo.readyMs
      },
    },
    rounds,
  )
  rmSync(folder, { recursive: true, force: true })
  return [figure, withoutBaseline({ work: 'the same, CPU time', unit: ' ms', target: '–' }, median(busy.slice(1)), () => true)]
}

/** Requests the page until it arrives, like a browser that is opened too early. */
async function untilServed(url: string): Promise<void> {
  for (;;) {
    const reply = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined)
    if (reply?.ok && (await reply.text()).includes('<html')) return
    await delay(10)
  }
}
