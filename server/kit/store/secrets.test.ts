import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSecrets, SecretsKeyError } from './secrets.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const aKey = () => randomBytes(32).toString('base64')
const inFolder = () => openSecrets({ DATA_DIR: folder })
const withKeys = (...SECRETS_KEY: string[]) => openSecrets({ SECRETS_KEY, DATA_DIR: folder })
const some = Buffer.from('12345678901234567890')

test('a secret can be decrypted for its owner, and for no other', () => {
  const secrets = withKeys(aKey())
  const bytes = fc.uint8Array({ maxLength: 64 }).map(array => Buffer.from(array))
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), bytes, (owner, other, secret) => {
      fc.pre(owner !== other)
      const sealed = secrets.seal(owner, secret)
      expect(secrets.open(owner, sealed).equals(secret)).toBe(true)
      expect(() => secrets.open(other, sealed)).toThrow(/authenticate/)
    }),
  )
})

test('equal secrets encrypt differently, and any changed bit is detected', () => {
  const secrets = withKeys(aKey())
  const [one, two] = [secrets.seal('a', some), secrets.seal('a', some)]
  expect(one.secret.includes(some)).toBe(false)
  expect(one.secret.equals(two.secret)).toBe(false)
  for (const index of one.secret.keys()) {
    const changed = Buffer.from(one.secret)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    expect(() => secrets.open('a', { ...one, secret: changed })).toThrow(/authenticate/)
  }
})

test('a wrong key is an error; a former key decrypts but no longer encrypts', () => {
  const [former, present] = [aKey(), aKey()]
  const sealed = withKeys(former).seal('a', some)
  expect(() => withKeys(present).open('a', sealed)).toThrow(SecretsKeyError)
  expect(() => withKeys(present).open('a', sealed)).toThrow(/another key than that of SECRETS_KEY/)
  expect(() => inFolder().open('a', sealed)).toThrow(join(folder, 'secrets.key'))
  const both = withKeys(present, former)
  expect(both.open('a', sealed).equals(some)).toBe(true)
  expect(withKeys(present).open('a', both.seal('a', some)).equals(some)).toBe(true)
})

test('without a setting the key is in a private file that is created once', () => {
  const sealed = inFolder().seal('a', some)
  const path = join(folder, 'secrets.key')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(inFolder().open('a', sealed).equals(some)).toBe(true)
  expect(withKeys(readFileSync(path, 'utf8').trim()).open('a', sealed).equals(some)).toBe(true)
  writeFileSync(path, '')
  expect(inFolder).toThrow(`The file ${path} holds no key`)
})
