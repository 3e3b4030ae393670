import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { breaks } from './breaks.ts'
import { changedSince, choose } from './choose.ts'

test('a share is the same for the same seed, and different for another', () => {
  expect(choose(breaks, 0.05, 1)).toHaveLength(Math.round(breaks.length / 20))
  expect(choose(breaks, 0.05, 1)).toEqual(choose(breaks, 0.05, 1))
  expect(choose(breaks, 0.05, 2)).not.toEqual(choose(breaks, 0.05, 1))
  expect(choose(breaks, 1, 1)).toEqual(breaks)
  expect(choose(breaks, 0, 1)).toHaveLength(1)
})

test('breaks of changed files are played beyond the share, each once', () => {
  const drawn = choose(breaks, 0.05, 1)
  const changed = breaks.slice(0, 3).map(({ file }) => file)
  const chosen = choose(breaks, 0.05, 1, changed)
  expect(chosen).toEqual(breaks.filter(each => drawn.includes(each) || changed.includes(each.file)))
  expect(chosen.length).toBeGreaterThan(drawn.length)
})

test('a change of many files adds thirty breaks at most', () => {
  const all = breaks.map(({ file }) => file)
  expect(breaks.length).toBeGreaterThan(200)
  expect(choose(breaks, 0, 1, all)).toHaveLength(30)
})

test('changed files are those since the branches parted, committed or not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-changed-'))
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'core.hooksPath=/dev/null']
  const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: folder })
  const commit = (file: string) => {
    writeFileSync(join(folder, file), file)
    git('add', '.')
    git('commit', '-q', '-m', file)
  }
  try {
    git('init', '-q', '-b', 'main')
    commit('before')
    git('branch', 'own')
    commit('theirs')
    git('switch', '-q', 'own')
    commit('ours')
    writeFileSync(join(folder, 'before'), 'changed')
    expect(changedSince('main', folder)).toEqual(['before', 'ours'])
    expect(changedSince('HEAD^', folder)).toEqual(['before', 'ours'])
    expect(changedSince('HEAD^^', folder)).toBeUndefined()
    expect(changedSince('--all', folder)).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
