import { hostname } from 'node:os'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openLog } from './log.ts'
import { Outage } from './store/outage.ts'

function logged(fields: Record<string, unknown>): string {
  const to = new PassThrough()
  openLog('info', to).info(fields, 'it happened')
  return String(to.read())
}

test('the values of secret and personal fields are never logged, at any depth', () => {
  const names = [
    'password',
    'token',
    'accessToken',
    'clientSecret',
    'authorization',
    'cookie',
    'email',
    'docNumber',
    'documentNumber',
    'to',
  ]
  for (const name of names)
    for (const fields of [{ [name]: 'S3cret' }, { ask: { [name]: 'S3cret' } }, { a: { b: { [name]: 'S3cret' } } }])
      expect(logged(fields)).not.toContain('S3cret')
})

test('each line names the machine and the process', () => {
  expect(JSON.parse(logged({}))).toMatchObject({ level: 'info', node: hostname(), pid: process.pid })
})

test('only one line of each outage has the stack, however many calls fail', () => {
  const to = new PassThrough()
  let minutes = 0
  const log = openLog('info', to, () => minutes * 60_000)
  const refused = (code: string) => Object.assign(new Error(`connect ${code}`), { code })
  const hasStack = (err: Error): boolean => {
    log.error({ err }, 'a dependency is down')
    const { err: described } = JSON.parse(String(to.read()))
    expect(described.message).toBe(err.message)
    return 'stack' in described
  }
  expect([hasStack(refused('ECONNREFUSED')), hasStack(refused('57P01')), hasStack(refused('ECONNREFUSED'))]).toEqual([true, false, false])
  // Another dependency, and bugs.
  expect([hasStack(new Outage('the file store does not answer')), hasStack(new Outage('again'))]).toEqual([true, false])
  expect([hasStack(new Error('a defect')), hasStack(new Error('a defect'))]).toEqual([true, true])
  for (minutes of [0.9, 1.8]) expect(hasStack(refused('ECONNREFUSED'))).toBe(false)
  minutes = 2.9
  expect(hasStack(refused('ECONNREFUSED'))).toBe(true)
})

test('addresses and passwords in an error message are hidden', () => {
  const line = logged({ err: new Error('550 5.1.1 <ana@client.example>: no such mailbox; smtp://portal:S3cret@mail.example:587') })
  expect(line).toContain('no such mailbox')
  expect(line).not.toMatch(/ana@|S3cret/)
})
