import { hkdfSync, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline as pipe, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { DamagedSeal, openChunks, sealChunks } from '#server/kit/store/chunks.ts'
import { nameOfKey } from '#server/kit/store/secrets.ts'

// The file of a backup: compressed lines, and encrypted after a head if there is a key. The head names the key, without revealing it.

const magic = Buffer.from('portolan backup\n')
const [nameBytes, saltBytes] = [12, 32]
const headBytes = magic.length + nameBytes + saltBytes

/** A key for this file alone: chunks of two files cannot be mixed. */
const keyOf = (key: string, salt: Buffer): Buffer => Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), salt, magic, 32))

/** Writes lines into a file that only its owner can read, encrypted if a key is given. */
export async function writeBackup(path: string, lines: AsyncIterable<string>, key: string | undefined): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600 })
  if (key === undefined) return pipeline(lines, createGzip(), file)
  const salt = randomBytes(saltBytes)
  const sealed = async function* (compressed: AsyncIterable<Buffer>) {
    yield Buffer.concat([magic, Buffer.from(backupKeyName(key)), salt])
    yield* sealChunks(keyOf(key, salt), compressed)
  }
  return pipeline(lines, createGzip(), sealed, file)
}

/** Opens a file, encrypted or not, and returns its text. Throws if it is missing, or if none of the keys is that of the file. */
export async function readBackup(path: string, keys: readonly string[]): Promise<Readable> {
  const head = await headOf(path)
  if (!head.subarray(0, magic.length).equals(magic)) return pipe(createReadStream(path), createGunzip(), () => {})
  if (head.length < headBytes) throw new Error(damaged('its end is missing'))
  const name = head.toString('latin1', magic.length, magic.length + nameBytes)
  const key = keys.find(each => backupKeyName(each) === name)
  if (key === undefined) throw new Error(withoutKey(name, keys))
  const salt = head.subarray(headBytes - saltBytes)
  const opened = async function* (sealed: AsyncIterable<Buffer>) {
    try {
      yield* openChunks(keyOf(key, salt), sealed)
    } catch (error) {
      throw error instanceof DamagedSeal ? new Error(damaged(error.message), { cause: error }) : error
    }
  }
  return pipe(createReadStream(path, { start: headBytes }), opened, createGunzip(), () => {})
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export const backupKeyName = (key: string): string => nameOfKey(Buffer.from(key, 'base64'))

const damaged = (problem: string): string => `the copy is damaged: ${problem}`

const withoutKey = (name: string, keys: readonly string[]): string =>
  keys.length === 0
    ? `the copy is encrypted, and BACKUP_KEY is not set. Its key is the one with the name ${name}`
    : `the copy is encrypted with another key than that of BACKUP_KEY (${keys.map(backupKeyName).join(', ')}). Its key is the one with the name ${name}`
