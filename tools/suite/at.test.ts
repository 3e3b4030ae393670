import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { takeDay } from './at.ts'

const real = Date.parse('2026-11-28T12:00Z')

test('--at and its day are removed from the words, in any position', () => {
  const taken = (...given: string[]) => {
    const environment: Record<string, string> = {}
    return [takeDay(given, environment, real), Number(environment['TEST_AHEAD_MS']) + real]
  }
  expect(taken('money', '--at', '2028-02-29', '-u')).toEqual([['money', '-u'], Date.parse('2028-02-29T10:00Z')])
  expect(taken('--at=2026-12-31T22:30Z')).toEqual([[], Date.parse('2026-12-31T22:30Z')])
  expect(taken('money', '-u')).toEqual([['money', '-u'], Number.NaN])
})

test('--at is refused without an existing day, and on a database server', () => {
  for (const given of [[], ['tomorrow'], ['2027-02-29'], ['2027-3-20']]) expect(takeDay(['--at', ...given], {})).toContain('2027-03-20')
  expect(takeDay(['--at', '2027-03-20'], { TEST_DATABASE_URL: 'postgres://' })).toContain('clock of a PostgreSQL server')
})

test('a process, its threads and its children are ahead by the same time', () => {
  const environment: Record<string, string> = {}
  takeDay(['--at', '2028-02-29'], environment)
  const script = `
    const show = 'console.log([new Date(), Date(), Date.now()].map(each => new Date(each).toISOString().slice(0, 10)).join())'
    eval(show)
    new (await import('node:worker_threads')).Worker(show, { eval: true })
    console.log((await import('node:child_process')).execFileSync(process.execPath, ['-e', show], { encoding: 'utf8' }).trim())`
  const shown = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  expect(shown.trim().split('\n')).toEqual(Array.from({ length: 3 }, () => '2028-02-29,2028-02-29,2028-02-29'))
})
