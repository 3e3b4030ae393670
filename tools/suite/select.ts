import { globSync } from 'node:fs'
import { relative } from 'node:path'
import { groupsIn, realTestsIn } from '../real-tests.ts'
import { root } from '../processes.ts'
import { projects, projectOf } from './projects.ts'
import { specRows, testFileOf } from './spec-rows.ts'

/** The test files to run, with a part of a title or with tags if only some tests match; else the unmatched words. */
export type Selection = { files: string[]; title?: string; tags?: string[] } | { unknown: string[] }

/** Returns every test file that belongs to a project. */
export function testFiles(): string[] {
  const found = projects.flatMap(({ include }) => globSync(include, { cwd: root }))
  return [...new Set(found)].filter(file => projectOf(file)).toSorted()
}

/**
 * Finds test files by parts of their paths, or by rows of docs/spec-coverage.md. If no word is part of a path, all words together are searched in the
 * titles of tests and groups.
 */
export function select(words: string[], files = testFiles(), titlesIn = titlesOf, rows = specRows()): Selection {
  if (words.every(word => isRow.test(word))) return selectRows(words, files, rows)
  const parts = words.map(word => relative(root, word).toLowerCase())
  const matches = (file: string, part: string) => file.toLowerCase().includes(part)
  const unknown = words.filter((_, n) => !files.some(file => matches(file, parts[n] ?? '')))
  if (unknown.length === 0) return { files: files.filter(file => parts.some(part => matches(file, part))) }
  if (unknown.length < words.length) return { unknown }
  const title = words.join(' ')
  const holding = files.filter(file => titlesIn(file).some(each => each.toLowerCase().includes(title.toLowerCase())))
  return holding.length > 0 ? { files: holding, title } : { unknown: [title] }
}

const isRow = /^S\d\.\d+$/i

function selectRows(words: string[], files: string[], rows: ReturnType<typeof specRows>): Selection {
  const tags = words.map(word => word.toUpperCase())
  const testsOf = (tag: string) =>
    rows.flatMap(({ id, holders }) => (id === tag ? holders.map(testFileOf) : [])).filter(file => files.includes(file))
  const unknown = tags.filter(tag => testsOf(tag).length === 0)
  return unknown.length > 0 ? { unknown } : { files: files.filter(file => tags.some(tag => testsOf(tag).includes(file))), tags }
}

const titlesOf = (file: string): string[] => [...realTestsIn(`${root}/${file}`), ...groupsIn(`${root}/${file}`)]
