import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openLog } from './log.ts'

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

test('addresses and passwords in an error message are hidden', () => {
  const line = logged({ err: new Error('550 5.1.1 <ana@client.example>: no such mailbox; smtp://portal:S3cret@mail.example:587') })
  expect(line).toContain('no such mailbox')
  expect(line).not.toMatch(/ana@|S3cret/)
})
