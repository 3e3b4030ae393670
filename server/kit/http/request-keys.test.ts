import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { openSecrets } from '#server/kit/store/secrets.ts'
import { requestKeys } from './idempotency.ts'

const withKeys = (...SECRETS_KEY: string[]) => openSecrets({ SECRETS_KEY, DATA_DIR: '' })
const aKey = () => randomBytes(32).toString('base64')
const caller = (userId: string) => ({ userId }) as CallerInUnit // Safe: nothing else of it is read.
const ask = { docNumber: '48765432G' }

test('only the same user and content get the same keys, whichever key is present', () => {
  const [former, present] = [aKey(), aKey()]
  const made = requestKeys(withKeys(former), caller('ana'), 'k', ask)
  expect(made).toHaveLength(2)
  const later = requestKeys(withKeys(present, former), caller('ana'), 'k', ask)
  expect([later.length, later[0] === made[0], later[1]]).toEqual([3, false, made[0]])
  const secrets = withKeys(former)
  for (const other of [
    requestKeys(secrets, caller('leo'), 'k', ask),
    requestKeys(secrets, caller('ana'), 'l', ask),
    requestKeys(secrets, caller('ana'), 'k', { docNumber: '48765431A' }),
  ])
    expect(other[0]).not.toBe(made[0])
})

test('a request that an older version hashed without a key is recognised', () => {
  const before = createHash('sha256')
    .update(JSON.stringify(['ana', 'k', ask]))
    .digest('hex')
  const keys = requestKeys(withKeys(aKey()), caller('ana'), 'k', ask)
  expect([keys.indexOf(before), keys[0] === before]).toEqual([1, false])
})

test('the document numbers of a request cannot be guessed without the key', () => {
  expect(requestKeys(withKeys(aKey()), caller('ana'), 'k', ask)[0]).not.toBe(requestKeys(withKeys(aKey()), caller('ana'), 'k', ask)[0])
})
