import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../processes.ts'

export type Source = { path: string; text: string }

/** Returns the tracked files with one of these extensions, as they are on disk. */
export function trackedFiles(endings: string[]): Source[] {
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split('\n')
  const paths = names.filter(name => endings.some(ending => name.endsWith(`.${ending}`)) && existsSync(join(root, name)))
  return paths.toSorted().map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

export const codeEndings = ['ts', 'tsx', 'mts', 'mjs']

/** Returns the top folder, with its tests as a separate group; files at the root are one group. */
export function groupOf(path: string): string {
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : 'root'
  return /\.test\.tsx?$|\.e2e\.ts$|\/testing[\w-]*\.ts$/.test(path) ? `${folder} tests` : folder
}
