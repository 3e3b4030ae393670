import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jobWords } from './job-words.ts'

const server = join(import.meta.dirname, '../../../server')

test('every job of the service has a name in words', () => {
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('serve.ts'))
    .map(name => readFileSync(join(server, name), 'utf8'))
  const subscribers = sources.flatMap(source =>
    [...source.matchAll(/outbox\.subscribe\(\s*\w+,\s*'([a-z_.]+)'/g)].map(([, name = '']) => name),
  )
  expect(subscribers.length).toBeGreaterThan(5)
  expect(subscribers.filter(name => jobWords(name, () => 'a name') === name)).toEqual([])
})
