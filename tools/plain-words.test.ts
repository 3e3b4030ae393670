import { expect, test } from 'vitest'
import { countPlainWords } from './counts/plain-words.ts'
import { compare, readRecord } from './counts/record.ts'

test('words that the style guide refuses only become fewer', () => {
  const { risen, fallen } = compare(readRecord('plain-words'), countPlainWords())
  if (fallen.length > 0) console.info(`npm run counts -- --lower can lower the record of plain words:\n${fallen.join('\n')}`)
  expect(risen).toEqual([])
})

test('openings count in comments and titles, the pronoun in prose, words anywhere', () => {
  const code = [
    '/** What he asked. */',
    '// Whoever comes,',
    '// of all people, knows.',
    "const he = 'Nobody // What'",
    '/* Officers */',
  ].join('\n')
  const tests = "test('of what he is told', () => { expect(him).toBe(1) })"
  const counted = countPlainWords([
    { path: 'server/some.ts', text: code },
    { path: 'server/some.test.ts', text: tests },
    { path: 'README.md', text: 'What nobody told **him**.' },
  ])
  expect(counted).toEqual({
    server: { opening: 2, he: 1, whoever: 1, nobody: 1 },
    'server tests': { opening: 1, he: 1, told: 1 },
    root: { he: 1, told: 1, nobody: 1 },
  })
})
