import { spawnSync } from 'node:child_process'
import { openRandom } from '#common/kit/random.ts'
import { root } from '../processes.ts'
import type { Break } from './break.ts'

/** Returns the breaks of changed files, and a share of the others chosen by the seed; at least one in all. */
export function choose(all: Break[], share: number, seed: number, changed: string[] = []): Break[] {
  const drawn = new Set(
    openRandom(seed)
      .shuffled(all)
      .slice(0, Math.max(1, Math.round(all.length * share))),
  )
  return all.filter(each => drawn.has(each) || changed.includes(each.file))
}

/** Returns the files changed since HEAD's history parted from that of `ref`; undefined if git knows no such commit. */
export function changedSince(ref: string, cwd = root): string[] | undefined {
  const git = (...args: string[]) => spawnSync('git', args, { cwd, encoding: 'utf8' })
  const base = git('merge-base', '--end-of-options', ref, 'HEAD')
  if (base.status !== 0) return undefined
  return git('diff', '--name-only', '-z', base.stdout.trim()).stdout.split('\0').filter(Boolean)
}
