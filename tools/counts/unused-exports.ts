import { bin, run } from '../processes.ts'
import { add, type Counts } from './record.ts'
import { groupOf } from './sources.ts'

type Named = { name: string }
type Report = { issues: { file: string; files?: Named[]; exports?: Named[]; types?: Named[] }[] }
export type Unused = { counts: Counts; names: string[] }

/** Finds exports that no other file imports, and files that nothing loads. */
export async function findUnused(): Promise<Unused> {
  const options = ['--no-progress', '--no-config-hints', '--no-exit-code', '--reporter=json', '--include=files,exports,types']
  const { output } = await run(bin('knip'), options)
  // The format of knip's own reporter.
  const { issues } = JSON.parse(output) as Report
  const counts: Counts = {}
  const names: string[] = []
  for (const { file, files = [], exports = [], types = [] } of issues) {
    add(counts, groupOf(file), 'files', files.length)
    add(counts, groupOf(file), 'exports', exports.length + types.length)
    names.push(...files.map(() => file), ...[...exports, ...types].map(({ name }) => `${file}: ${name}`))
  }
  return { counts, names: names.toSorted() }
}
