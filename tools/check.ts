import type { Failure } from './failures.ts'
import { bin, run } from './processes.ts'
import { step } from './steps.mjs'

type Gate = { title: string; kind: 'types' | 'lint' | 'format'; program: string; args: string[] }

const rooms = ['common', 'common/tsconfig.test.json', 'server', 'walks', 'portal', 'doubles/card-network/shim']

const gates: Gate[] = [
  ...rooms.map((room): Gate => ({ title: `Types: ${room}`, kind: 'types', program: 'tsc', args: ['-p', room] })),
  { title: 'Lint', kind: 'lint', program: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { title: 'Format', kind: 'format', program: 'biome', args: ['format', '.'] },
]

/** Runs the gates that need neither browser nor network: types, lint, format, or some of them by their kind. Shows and returns their findings. */
export async function check(kinds: string[] = []): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const { title, program, args } of gates.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))) {
    const { code, output } = await step(title, () => run(bin(program), args))
    if (code !== 0) {
      process.stdout.write(output)
      failures.push({ name: title, message: output })
    }
  }
  return failures
}

if (process.argv[1] === import.meta.filename) process.exit((await check(process.argv.slice(2))).length > 0 ? 1 : 0)
