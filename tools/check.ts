import type { Failure } from './suite/failures.ts'
import { bin, run } from './processes.ts'
import { knownVulnerabilities } from './release/advisories.ts'
import { licenceFaults, readAllowed } from './release/licences.ts'
import { readLock } from './release/packages.ts'
import { say, step } from './steps.mjs'

type Gate = { title: string; kind: 'types' | 'lint' | 'format'; program: string; args: string[] }

const gates: Gate[] = [
  // Two projects of two threads each: on two cores a quarter faster than tsc's own four threads.
  { title: 'Types', kind: 'types', program: 'tsc', args: ['-b', '--builders', '2', '--checkers', '2'] },
  { title: 'Lint', kind: 'lint', program: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { title: 'Format', kind: 'format', program: 'biome', args: ['format', '.'] },
]

/**
 * Runs the checks that need no browser: types, lint, format, licences, or some of them. Prints and returns the failures. Known vulnerabilities are
 * only printed, as they appear without a change of ours, and the registry may be unreachable.
 */
export async function check(kinds: string[] = []): Promise<Failure[]> {
  const isWhole = kinds.length === 0
  const vulnerabilities = isWhole ? knownVulnerabilities() : undefined
  const failures: Failure[] = isWhole ? licenceFaults(readLock(), readAllowed()).map(message => ({ name: 'Licences', message })) : []
  for (const { message } of failures) console.log(message)
  for (const { title, program, args } of gates.filter(({ kind }) => isWhole || kinds.includes(kind))) {
    const { code, output } = await step(title, () => run(bin(program), args))
    if (code !== 0) {
      process.stdout.write(output)
      failures.push({ name: title, message: output })
    }
  }
  for (const line of (await vulnerabilities) ?? []) say(line)
  return failures
}

if (process.argv[1] === import.meta.filename) process.exit((await check(process.argv.slice(2))).length > 0 ? 1 : 0)
