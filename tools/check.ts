import type { Failure } from './failures.ts'
import { bin, run } from './processes.ts'
import { knownVulnerabilities } from './release/advisories.ts'
import { licenceFaults, readAllowed } from './release/licences.ts'
import { readLock } from './release/packages.ts'
import { say, step } from './steps.mjs'

/**
 * The gate that needs no browser and no network: types, lint with its walls, format, licences. What it finds is shown, and told again by
 * name. Known vulnerabilities are told besides where the registry answers, meanwhile: they come without a change of ours, so they fail nothing.
 */
export async function check(): Promise<Failure[]> {
  const vulnerabilities = knownVulnerabilities()
  const gates: [string, string, string[]][] = [
    ...['common', 'common/tsconfig.test.json', 'server', 'walks', 'portal', 'doubles/card-network/shim'].map(
      (room): [string, string, string[]] => [`Types: ${room}`, bin('tsc'), ['-p', room]],
    ),
    ['Lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
    ['Format', bin('biome'), ['format', '.']],
  ]
  const failures: Failure[] = licenceFaults(readLock(), readAllowed()).map(message => ({ name: 'Licences', message }))
  for (const { message } of failures) console.log(message)
  for (const [title, program, args] of gates) {
    const { code, output } = await step(title, () => run(program, args))
    if (code !== 0) {
      process.stdout.write(output)
      failures.push({ name: title, message: output })
    }
  }
  for (const line of await vulnerabilities) say(line)
  return failures
}

if (process.argv[1] === import.meta.filename) process.exit((await check()).length > 0 ? 1 : 0)
