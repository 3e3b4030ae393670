import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '#fault-tests/harness/service.ts'
import { withoutBaseline, compare, median, type Figure } from './compare.ts'
import { startEcho } from './echo/start.ts'

/** design 8: the start on an existing embedded database, against the start of the bare echo server. */
export async function benchStart(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-bench-'))
  const busy: number[] = []
  const start = async () => {
    const service = await startService({
      environment: { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: join(folder, 'compiled') },
    })
    busy.push(await service.busyMs())
    await service.stop()
    return service.readyMs
  }
  await start()
  const figure = await compare(
    {
      work: 'ready on an existing embedded database',
      against: 'start of the bare echo',
      unit: ' ms',
      target: '≤ 1500 ms',
      met: (_, ours) => ours <= 1500,
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
  const named = { work: 'the same, CPU time only', unit: ' ms', target: '≤ 1500 ms' }
  return [figure, withoutBaseline(named, median(busy.slice(1)), ms => ms <= 1500)]
}
