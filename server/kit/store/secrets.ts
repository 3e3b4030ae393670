import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#server/config/operator-error.ts'

/** Encrypts secrets in the database, each bound to its owner (AES-256-GCM). The key is stored elsewhere. */
export type Secrets = {
  seal(owner: string, secret: Buffer): { secret: Buffer; sealedBy: string }
  /** Decrypts a secret. A secret that an older version stored without encryption is returned as it is. */
  open(owner: string, sealed: Sealed): Buffer
  /** Derives a key for one purpose. It is the same on every node, and reveals nothing about the main key. */
  derive(purpose: string): Buffer
  /** Derives a key for one purpose of each key, the present first. */
  keysFor(purpose: string): NamedKeys
  /** Hashes a text for one purpose with each key, the present first, so that hashes of former keys are found, too. */
  hashes(purpose: string, text: string): [present: Buffer, ...former: Buffer[]]
  /** Throws `SecretsKeyError` if the named key is not among those that were given. */
  demandKey(sealedBy: string): void
  /** The name of the current key, which does not reveal the key. */
  sealedBy: string
}

/** Keys with their names. A derived key has the name of the key that it comes from. */
export type NamedKeys = [present: NamedKey, ...former: NamedKey[]]
type NamedKey = [name: string, key: Uint8Array]

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
  const named = (key: Buffer): NamedKey => [nameOfKey(key), key]
  return secretsOf([named(first), ...former.map(named)], SECRETS_KEY ? 'SECRETS_KEY' : pathIn(DATA_DIR))
}

/** Returns the secrets of these keys, which came from `source`. */
export function secretsOf(keys: NamedKeys, source: string): Secrets {
  const [[sealedBy, bytes], ...former] = keys
  const first = createSecretKey(bytes)
  const known = new Map([...former.map(([name, key]) => [name, createSecretKey(key)] as const), [sealedBy, first]])
  function keyOf(name: string): KeyObject {
    const key = known.get(name)
    if (!key) throw new SecretsKeyError(otherKey(source))
    return key
  }
  const derived = (key: Uint8Array, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `portolan ${purpose}`, keyBytes))
  const keysFor = (purpose: string): NamedKeys => [
    [sealedBy, derived(bytes, purpose)],
    ...former.map(([name, key]): NamedKey => [name, derived(key, purpose)]),
  ]
  // Cached, as deriving takes longer than hashing.
  const hashing = new Map<string, [KeyObject, ...KeyObject[]]>()
  function hashingKeys(purpose: string): [KeyObject, ...KeyObject[]] {
    const found = hashing.get(purpose)
    if (found) return found
    const [[, present], ...others] = keysFor(purpose)
    const made: [KeyObject, ...KeyObject[]] = [createSecretKey(present), ...others.map(([, key]) => createSecretKey(key))]
    hashing.set(purpose, made)
    return made
  }
  return {
    sealedBy,
    demandKey: name => void keyOf(name),
    derive: purpose => derived(bytes, purpose),
    keysFor,
    hashes(purpose, text) {
      const hash = (key: KeyObject) => createHmac('sha256', key).update(text).digest()
      const [present, ...others] = hashingKeys(purpose)
      return [hash(present), ...others.map(hash)]
    },
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
