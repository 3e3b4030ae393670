import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#server/config/operator-error.ts'

/** Encrypts secrets in the database, each bound to its owner (AES-256-GCM). The key is stored elsewhere. */
export type Secrets = {
  seal(owner: string, secret: Buffer): Sealed
  /** Decrypts a secret. A secret that an older version stored without encryption is returned as it is. */
  open(owner: string, sealed: Sealed): Buffer
  /** Derives a key for one purpose. It is the same on every node, and reveals nothing about the main key. */
  derive(purpose: string): Buffer
  /** Throws `SecretsKeyError` if the named key is not among those that were given. */
  demandKey(sealedBy: string): void
  /** The name of the current key, which does not reveal the key. */
  sealedBy: string
}

export type Sealed = { secret: Buffer; sealedBy: string | null }

/** The configured key is missing, invalid, or not the one that encrypted a secret. */
export class SecretsKeyError extends OperatorError {}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** True for 32 bytes in base64. */
export const isSecretsKey = (text: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(text)

/** Opens the secrets with the keys of SECRETS_KEY, the current one first. Without them, a key file is created at the first start. */
export function openSecrets({ SECRETS_KEY, DATA_DIR }: { SECRETS_KEY?: string[] | undefined; DATA_DIR: string }): Secrets {
  const [first, ...former] = (SECRETS_KEY ?? [keyInFile(DATA_DIR)]).map(text => Buffer.from(text, 'base64'))
  if (!first) throw new SecretsKeyError('SECRETS_KEY is empty')
  const known = new Map([...former, first].map(key => [nameOfKey(key), key]))
  const sealedBy = nameOfKey(first)
  function keyOf(name: string): Buffer {
    const key = known.get(name)
    if (!key) throw new SecretsKeyError(otherKey(SECRETS_KEY ? 'SECRETS_KEY' : pathIn(DATA_DIR)))
    return key
  }
  return {
    sealedBy,
    demandKey: name => void keyOf(name),
    derive: purpose => Buffer.from(hkdfSync('sha256', first, '', `portolan ${purpose}`, keyBytes)),
    seal(owner, secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', first, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(owner))
      const sealed = [cipher.update(secret), cipher.final()]
      return { secret: Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]), sealedBy }
    },
    open(owner, { secret, sealedBy: by }) {
      if (by === null) return secret
      const decipher = createDecipheriv('aes-256-gcm', keyOf(by), secret.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(owner))
        .setAuthTag(secret.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([decipher.update(secret.subarray(nonceBytes + tagBytes)), decipher.final()])
    },
  }
}

/** Names a key without revealing it. */
export const nameOfKey = (key: Buffer): string => createHash('sha256').update('portolan key ').update(key).digest('base64url').slice(0, 12)

const pathIn = (folder: string): string => join(folder, 'secrets.key')

const otherKey = (source: string): string =>
  `Data of this installation was sealed with another key than that of ${source}. Give the key that sealed it; or the new one and that one, with a comma between.`

/** Reads the key file, created private to its owner. It is not in the database or its backups, so a thief of those lacks the key. */
function keyInFile(folder: string): string {
  const path = pathIn(folder)
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(path, `${randomBytes(keyBytes).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    // Safe: fs throws errors with a code.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = readFileSync(path, 'utf8').trim()
  if (!isSecretsKey(key)) throw new SecretsKeyError(`The file ${path} holds no key (32 bytes in base64). Put the one back that it held.`)
  return key
}
