import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { actionWords } from './action-words.ts'

const server = join(import.meta.dirname, '../../../server')

test('every audited action of the service has a sentence', () => {
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => readFileSync(join(server, name), 'utf8'))
  const actions = sources.flatMap(source => [...source.matchAll(/\baction(?::| =) '([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action))
  expect(actions.length).toBeGreaterThan(50)
  const wordless = actions.filter(action => actionWords(action, () => 'a sentence') === action)
  expect(wordless).toEqual([])
})
