import { expect, test } from 'vitest'
import { codeEndings, trackedFiles } from './counts/sources.ts'

test('each line on which a lint rule is disabled gives its reason', () => {
  const ignored = trackedFiles(codeEndings).flatMap(({ path, text }) =>
    [...text.matchAll(/^.*ox(?:lint)-disable.*$/gm)].map(([line]) => `${path}: ${line.trim()}`),
  )
  expect(ignored.length).toBeGreaterThan(10)
  expect(ignored.filter(line => !/ -- \S+ \S/.test(line))).toEqual([])
})
