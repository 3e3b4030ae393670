import { globSync } from 'node:fs'
import { relative } from 'node:path'
import { realTestsIn } from '../real-tests.ts'
import { root } from '../processes.ts'
import { projects, projectOf } from './projects.ts'

/** The test files to run, with a part of a title if only some tests match; else the unmatched words. */
export type Selection = { files: string[]; title?: string } | { unknown: string[] }

function testFiles(): string[] {
  const found = projects.flatMap(({ include }) => globSync(include, { cwd: root }))
  return [...new Set(found)].filter(file => projectOf(file)).toSorted()
}

/** Finds test files by parts of their paths. If no word is part of a path, all words together are looked for in the titles of tests. */
export function select(words: string[], files = testFiles(), titlesIn = titlesOf): Selection {
  const parts = words.map(word => relative(root, word).toLowerCase())
  const matches = (file: string, part: string) => file.toLowerCase().includes(part)
  const unknown = words.filter((_, n) => !files.some(file => matches(file, parts[n] ?? '')))
  if (unknown.length === 0) return { files: files.filter(file => parts.some(part => matches(file, part))) }
  if (unknown.length < words.length) return { unknown }
  const title = words.join(' ')
  const holding = files.filter(file => titlesIn(file).some(each => each.toLowerCase().includes(title.toLowerCase())))
  return holding.length > 0 ? { files: holding, title } : { unknown: [title] }
}

const titlesOf = (file: string): string[] => [...realTestsIn(`${root}/${file}`)]
