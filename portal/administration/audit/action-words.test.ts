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
  // Deeds are audited as the events that they are: `policy.${what}` (server/changes/deed.ts).
  const [, events = ''] =
    /const events: Record<DeedKind, string> = \{([^}]+)\}/.exec(readFileSync(join(server, 'changes/deed.ts'), 'utf8')) ?? []
  const deeds = [...events.matchAll(/: '([a-z_]+)'/g)].map(([, what]) => `policy.${what}`)
  expect(deeds).toContain('policy.cancelled')
  actions.push(...deeds)
  const wordless = actions.filter(action => actionWords(action, () => 'a sentence') === action)
  expect(wordless).toEqual([])
})

test('a refused call is said by the part of the portal, and by its path if that is of none', () => {
  const words = (id: string, params?: object) => [id, ...Object.values(params ?? {})].join(' ')
  expect(
    [
      'POST /api/policy/list',
      'GET /policies/saved/_payload.json',
      'POST /api/tickets/claims',
      'PUT /api/administration/units',
      'GET /dev/x',
    ].map(code => actionWords(code, words)),
  ).toEqual(
    ['shell.menu.policies', 'shell.menu.budget', 'shell.menu.claims', 'shell.menu.administration', '/dev/x'].map(
      what => `administration.did_refused_call ${what}`,
    ),
  )
})
