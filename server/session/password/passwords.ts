import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)
/** OWASP's minimum for argon2id. Every hash states its cost, so the cost can be raised while old hashes stay valid. */
const usual = { memory: 19_456, passes: 2, parallelism: 1 }

export async function hashPassword(password: string, cost = usual): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: password.normalize('NFC'), nonce, tagLength: 32, ...cost })
  return ['argon2id', cost.memory, cost.passes, cost.parallelism, nonce.toString('base64url'), tag.toString('base64url')].join('$')
}

const unknownHash = hashPassword(randomBytes(16).toString('hex'))

/** Returns whether the password fits the hash. It takes as long without a hash, so timing does not reveal which addresses are known. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = (hash ?? (await unknownHash)).split('$')
  const wanted = Buffer.from(tag, 'base64url')
  const computed = await derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: Buffer.from(nonce, 'base64url'),
    tagLength: wanted.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(computed, wanted) && typeof hash === 'string'
}
