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
const given = (...SECRETS_KEY: string[]) => openSecrets({ SECRETS_KEY, DATA_DIR: folder })
const some = Buffer.from('12345678901234567890')

test('whatever is sealed for somebody is opened for him, and for nobody else', () => {
  const secrets = given(aKey())
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

test('nothing of it shows, not even that two are the same, and one changed bit is noticed', () => {
  const secrets = given(aKey())
  const [one, two] = [secrets.seal('a', some), secrets.seal('a', some)]
  expect(one.secret.includes(some)).toBe(false)
  expect(one.secret.equals(two.secret)).toBe(false)
  for (const place of one.secret.keys()) {
    const bent = Buffer.from(one.secret)
    bent.writeUInt8(bent.readUInt8(place) ^ 1, place)
    expect(() => secrets.open('a', { ...one, secret: bent })).toThrow(/authenticate/)
  }
})

test('a wrong key is told as such; a former one still opens, and seals no more', () => {
  const [former, present] = [aKey(), aKey()]
  const sealed = given(former).seal('a', some)
  expect(() => given(present).open('a', sealed)).toThrow(SecretsKeyError)
  expect(() => given(present).open('a', sealed)).toThrow(/another key than that of SECRETS_KEY/)
  expect(() => inFolder().open('a', sealed)).toThrow(join(folder, 'secrets.key'))
  const both = given(present, former)
  expect(both.open('a', sealed).equals(some)).toBe(true)
  expect(given(present).open('a', both.seal('a', some)).equals(some)).toBe(true)
})

test('without a setting the key is a file of its owner’s alone, made once', () => {
  const sealed = inFolder().seal('a', some)
  const path = join(folder, 'secrets.key')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(inFolder().open('a', sealed).equals(some)).toBe(true)
  expect(given(readFileSync(path, 'utf8').trim()).open('a', sealed).equals(some)).toBe(true)
  writeFileSync(path, '')
  expect(inFolder).toThrow(`The file ${path} holds no key`)
})
