import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { secretFileNames, settingOfFile } from './secret-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function written(text: string): string {
  const path = join(folder, 'secret')
  writeFileSync(path, text)
  return path
}

const key = Buffer.alloc(32, 'k').toString('base64')
const good: Record<string, string> = {
  DATABASE_URL: 'postgres://portolan:p%20w@db.test/portolan',
  SECRETS_KEY: key,
  BACKUP_KEY: key,
  FILE_STORE: 's3://key:secret@store.test/bucket?region=eu-west-1',
  METRICS_TOKEN: 'a token of some length',
  OIDC_CLIENT_SECRET: 'of the client',
  SMTP_URL: 'smtp://user:password@mail.test:587',
  INBOUND_MAIL_SECRET: 'a secret of some length',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_some_length',
}
const companions: Record<string, Record<string, string>> = {
  OIDC_CLIENT_SECRET: { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'portolan' },
  INBOUND_MAIL_SECRET: { INBOUND_MAIL_ADDRESS: 'tickets@in.test' },
  STRIPE_SECRET_KEY: { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
  STRIPE_PUBLISHABLE_KEY: { STRIPE_SECRET_KEY: 'sk_test_1' },
}

test.each(secretFileNames)('%s gives the content of the file, without its last line end', file => {
  const name = settingOfFile(file)
  const value = good[name] ?? 'none'
  const direct = readConfig({ ...companions[name], [name]: value })
  expect(direct).toHaveProperty(name)
  for (const end of ['', '\n', '\r\n']) expect(readConfig({ ...companions[name], [file]: written(value + end) })).toEqual(direct)
})

test('a secret that is set twice, unreadable or empty is reported without its value', () => {
  const path = written('sk_live_hidden')
  const nowhere = join(folder, 'nowhere')
  expect(readConfig({ SMTP_URL: 'smtp://mail.test', SMTP_URL_FILE: path })).toEqual([
    { name: 'SMTP_URL_FILE', problem: 'and SMTP_URL are both set: choose one' },
  ])
  expect(readConfig({ SECRETS_KEY_FILE: nowhere, PORT: 'x' })).toEqual([
    { name: 'SECRETS_KEY_FILE', problem: `names ${nowhere}, which cannot be read (ENOENT)` },
    { name: 'PORT', problem: 'must be a whole number' },
  ])
  expect(readConfig({ METRICS_TOKEN_FILE: folder })).toEqual([
    { name: 'METRICS_TOKEN_FILE', problem: `names ${folder}, which cannot be read (EISDIR)` },
  ])
  expect(JSON.stringify(readConfig({ DATABASE_URL_FILE: path }))).not.toContain('hidden')
  expect(readConfig({ DATABASE_URL_FILE: written('\n') })).toEqual([
    { name: 'DATABASE_URL_FILE', problem: `names ${path}, which is empty` },
  ])
})
