import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const faultsOf = (environment: Record<string, string>) => {
  const read = readConfig(environment)
  return Array.isArray(read) ? read.map(({ name }) => name) : []
}

test.each(['smtp://mail.example', 'smtps://mail.example:465', 'smtp://portal:p%40ss%25@mail.example:587', 'smtp://[::1]:25'])(
  'mail may go to %s',
  url => {
    expect(faultsOf({ SMTP_URL: url })).toEqual([])
  },
)

test.each(['mail.example:25', 'smtp:', 'smtp://', 'http://mail.example', 'smtp://portal:50%@mail.example'])('but not to %s', url => {
  expect(faultsOf({ SMTP_URL: url })).toEqual(['SMTP_URL'])
})

test('mail comes from one address', () => {
  for (const sender of ['no-reply@agency.example', 'Agency <no-reply@agency.example>']) expect(faultsOf({ MAIL_FROM: sender })).toEqual([])
  for (const sender of ['Agency', 'a@x.example, b@x.example', 'A\r\nBcc: e@e.example <a@x.example>'])
    expect(faultsOf({ MAIL_FROM: sender })).toEqual(['MAIL_FROM'])
})
