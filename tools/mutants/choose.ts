import { spawnSync } from 'node:child_process'
import { openRandom } from '#common/kit/random.ts'
import { root } from '../processes.ts'
import type { Break } from './break.ts'

/** A change of many files, such as a move, would play most breaks, each in a test run of its own. */
const mostOfChanged = 30

/** Returns a share of the breaks, at least one, and breaks of changed files up to a number. The seed chooses both. */
export function choose(all: Break[], share: number, seed: number, changed: string[] = []): Break[] {
  const shuffled = openRandom(seed).shuffled(all)
  const ofChanged = shuffled.filter(({ file }) => changed.includes(file)).slice(0, mostOfChanged)
  const chosen = new Set([...shuffled.slice(0, Math.max(1, Math.round(all.length * share))), ...ofChanged])
  return all.filter(each => chosen.has(each))
}

/** Returns the files changed since HEAD's history parted from that of `ref`; undefined if git knows no such commit. */
export function changedSince(ref: string, cwd = root): string[] | undefined {
  const git = (...args: string[]) => spawnSync('git', args, { cwd, encoding: 'utf8' })
  const base = git('merge-base', '--end-of-options', ref, 'HEAD')
  if (base.status !== 0) return undefined
  return git('diff', '--name-only', '-z', base.stdout.trim()).stdout.split('\0').filter(Boolean)
}
