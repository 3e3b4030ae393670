import type { Failure } from './failures.ts'
import { bin, run } from './processes.ts'
import { step } from './steps.mjs'

/** The gate that needs no browser and no network: types, lint with its walls, format. What it finds is shown, and told again by name. */
export async function check(): Promise<Failure[]> {
  const gates: [string, string, string[]][] = [
    ...['common', 'common/tsconfig.test.json', 'server', 'walks', 'portal', 'doubles/card-network/shim'].map(
      (room): [string, string, string[]] => [`Types: ${room}`, bin('tsc'), ['-p', room]],
    ),
    ['Lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
    ['Format', bin('biome'), ['format', '.']],
  ]
  const failures: Failure[] = []
  for (const [title, program, args] of gates) {
    const { code, output } = await step(title, () => run(program, args))
    if (code !== 0) {
      process.stdout.write(output)
      failures.push({ name: title, message: output })
    }
  }
  return failures
}

if (process.argv[1] === import.meta.filename) process.exit((await check()).length > 0 ? 1 : 0)
