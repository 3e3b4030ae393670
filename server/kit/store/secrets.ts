import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#server/config/operator-error.ts'

/** What must not lie open in the database: sealed with a key that it does not hold, and for its owner alone (AES-256-GCM). */
export type Secrets = {
  seal(owner: string, secret: Buffer): Sealed
  /** What an older version left unsealed is given back as it is. */
  open(owner: string, sealed: Sealed): Buffer
  /** A key for one purpose: the same each time and on every node, and it tells nothing of the key that it follows from. */
  derive(purpose: string): Buffer
  /** By what the key that seals is known, and told from others: it does not tell the key. */
  sealedBy: string
}

export type Sealed = { secret: Buffer; sealedBy: string | null }

/** The key that was given is not the one, or is none. */
export class SecretsKeyError extends OperatorError {}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** 32 bytes, as base64 writes them. */
export const isSecretsKey = (text: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(text)

/** The key of SECRETS_KEY, and those that it has followed; without that setting a file's, made at the first start. */
export function openSecrets({ SECRETS_KEY, DATA_DIR }: { SECRETS_KEY?: string[] | undefined; DATA_DIR: string }): Secrets {
  const [first, ...former] = (SECRETS_KEY ?? [keyInFile(DATA_DIR)]).map(text => Buffer.from(text, 'base64'))
  if (!first) throw new SecretsKeyError('SECRETS_KEY is empty')
  const known = new Map([...former, first].map(key => [nameOf(key), key]))
  const sealedBy = nameOf(first)
  return {
    sealedBy,
    derive: purpose => Buffer.from(hkdfSync('sha256', first, '', `portolan ${purpose}`, keyBytes)),
    seal(owner, secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', first, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(owner))
      const sealed = [cipher.update(secret), cipher.final()]
      return { secret: Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]), sealedBy }
    },
    open(owner, { secret, sealedBy: by }) {
      if (by === null) return secret
      const key = known.get(by)
      if (!key) throw new SecretsKeyError(otherKey(SECRETS_KEY ? 'SECRETS_KEY' : pathIn(DATA_DIR)))
      const decipher = createDecipheriv('aes-256-gcm', key, secret.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(owner))
        .setAuthTag(secret.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([decipher.update(secret.subarray(nonceBytes + tagBytes)), decipher.final()])
    },
  }
}

const nameOf = (key: Buffer): string => createHash('sha256').update('portolan key ').update(key).digest('base64url').slice(0, 12)

const pathIn = (folder: string): string => join(folder, 'secrets.key')

const otherKey = (given: string): string =>
  `The second factors in this database were sealed with another key than that of ${given}. Give the key that sealed them; or the new one and that one, with a comma between.`

/** Its owner's alone. It stays out of the database and of its backups: whoever has one of them has not the other. */
function keyInFile(folder: string): string {
  const path = pathIn(folder)
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(path, `${randomBytes(keyBytes).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = readFileSync(path, 'utf8').trim()
  if (!isSecretsKey(key)) throw new SecretsKeyError(`The file ${path} holds no key (32 bytes in base64). Put the one back that it held.`)
  return key
}
