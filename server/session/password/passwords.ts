import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)
/** OWASP's least setting for argon2id; written into every hash, so that it can be raised without losing anybody. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: password.normalize('NFC'), nonce, tagLength: 32, ...cost })
  return ['argon2id', cost.memory, cost.passes, cost.parallelism, nonce.toString('base64url'), tag.toString('base64url')].join('$')
}

const nobodys = hashPassword(randomBytes(16).toString('hex'))

/** Takes the same time whether there is a hash to compare with or not, so that nobody learns which addresses are known. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = (hash ?? (await nobodys)).split('$')
  const wanted = Buffer.from(tag, 'base64url')
  const given = await derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: Buffer.from(nonce, 'base64url'),
    tagLength: wanted.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(given, wanted) && typeof hash === 'string'
}
