import { bin, run } from './processes.ts'
import { step } from './steps.mjs'

/** The gate that needs no browser and no network: types, lint with its walls, format. */
export async function check(): Promise<boolean> {
  const gates: [string, string, string[]][] = [
    ...['common', 'common/tsconfig.test.json', 'server', 'walks', 'portal', 'doubles/card-network/shim'].map(
      (room): [string, string, string[]] => [`Types: ${room}`, bin('tsc'), ['-p', room]],
    ),
    ['Lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
    ['Format', bin('biome'), ['format', '.']],
  ]
  let whole = true
  for (const [title, program, args] of gates) {
    const { code, output } = await step(title, () => run(program, args))
    if (code !== 0) {
      whole = false
      process.stdout.write(output)
    }
  }
  return whole
}

if (process.argv[1] === import.meta.filename) process.exit((await check()) ? 0 : 1)
