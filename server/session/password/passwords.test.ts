import { expect, test } from 'vitest'
import { hashPassword, isPassword } from './passwords.ts'

test('a password is hashed at the cost that OWASP asks for, and recognised again', async () => {
  const hash = await hashPassword('portolan-demo')
  expect(hash).toMatch(/^argon2id\$19456\$2\$1\$/)
  expect(await isPassword('portolan-demo', hash)).toBe(true)
  expect(await isPassword('portolan-demO', hash)).toBe(false)
})

test('a hash of another cost stays valid, as every hash states its own', async () => {
  const hash = await hashPassword('portolan-demo', { memory: 8, passes: 1, parallelism: 1 })
  expect(await isPassword('portolan-demo', hash)).toBe(true)
  expect(await isPassword('portolan-demO', hash)).toBe(false)
})
