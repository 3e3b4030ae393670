import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '#fault-tests/harness/service.ts'
import { alone, compare, median, type Figure } from './compare.ts'
import { startEcho } from './echo/start.ts'

/** design 8: ready on an embedded database that is there already, beside the bare server's own start. */
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
      reach: '≤ 1500 ms',
      reached: (_, ours) => ours <= 1500,
      ours: start,
      async theirs() {
        const echo = await startEcho(1000)
        await echo.stop()
        return echo.readyMs
      },
    },
    rounds,
  )
  rmSync(folder, { recursive: true, force: true })
  const named = { work: 'the same, processor time alone', unit: ' ms', reach: '≤ 1500 ms' }
  return [figure, alone(named, median(busy.slice(1)), ms => ms <= 1500)]
}
