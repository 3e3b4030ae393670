import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type FileKind, stepDocumentKinds } from '#common/documents/kinds.ts'
import { DamagedSeal, openChunks, sealChunks } from '#server/kit/store/chunks.ts'
import { type Sealed, type Secrets, SecretsKeyError } from '#server/kit/store/secrets.ts'

// Encrypted content of the store: a head, then encrypted chunks. The head names a key of the secrets, and has the content's own key, encrypted with that
// one for the content's name. The content thus shows by itself whether and how it is encrypted, and cannot be decrypted under another name.

/** True for files that people bring to claims, requests and sales, copies of a person's data, and documents of policies and saved quotes. */
export const isSealed = (kind: FileKind): boolean => sealedKinds.includes(kind)

export const sealedKinds: readonly FileKind[] = ['ticket', 'upload', 'copy', ...stepDocumentKinds, 'offer', 'proof']

const magic = Buffer.from('portolan sealed\n')
const [nameBytes, keyBytes, sealedKeyBytes] = [12, 32, 60]
const headBytes = magic.length + nameBytes + sealedKeyBytes

const ownerOf = (name: string): string => `file ${name}`

export function sealContent(secrets: Secrets, name: string, content: Buffer): Promise<Buffer> {
  const key = randomBytes(keyBytes)
  const { secret } = secrets.seal(ownerOf(name), key)
  const chunks = async function* () {
    yield Buffer.concat([magic, Buffer.from(secrets.sealedBy), secret])
    yield* sealChunks(key, Readable.from([content], { objectMode: false }))
  }
  return buffer(Readable.from(chunks(), { objectMode: false }))
}

/** Decrypted content. `sealedBy` names the key that encrypted it; null if none did. */
type OpenedContent = { stream: Readable; sealedBy: string | null }

/** Opens content from the store, encrypted or not. Throws `SecretsKeyError` if the key is not known, and `DamagedSeal`, also while it is read. */
export async function openContent(secrets: Secrets, name: string, stored: Readable): Promise<OpenedContent> {
  const parts = stored[Symbol.asyncIterator]()
  let start: Buffer = Buffer.alloc(0)
  while (start.length < headBytes) {
    // Safe: a stream of bytes yields bytes.
    const { done, value } = (await parts.next()) as IteratorResult<Uint8Array, undefined>
    if (done) break
    start = Buffer.concat([start, value])
  }
  const rest = async function* () {
    yield start
    yield* { [Symbol.asyncIterator]: () => parts }
  }
  if (!start.subarray(0, magic.length).equals(magic)) return { stream: closing(stored, rest()), sealedBy: null }
  const head = start.subarray(0, headBytes)
  start = start.subarray(headBytes)
  try {
    const sealedBy = head.toString('latin1', magic.length, magic.length + nameBytes)
    return { stream: closing(stored, openChunks(keyOf(secrets, name, head, sealedBy), rest())), sealedBy }
  } catch (error) {
    stored.destroy()
    throw error
  }
}

function keyOf(secrets: Secrets, name: string, head: Buffer, sealedBy: string): Buffer {
  const secret = head.subarray(magic.length + nameBytes)
  if (secret.length < sealedKeyBytes) throw new DamagedSeal('its end is missing')
  try {
    return secrets.open(ownerOf(name), { secret, sealedBy })
  } catch (error) {
    throw error instanceof SecretsKeyError ? error : new DamagedSeal('it was changed, or sealed for another name', { cause: error })
  }
}

/** A stream that closes the stored one with itself, however little of it was read. */
function closing(stored: Readable, content: AsyncIterable<Uint8Array>): Readable {
  return Readable.from(content, { objectMode: false }).once('close', () => stored.destroy())
}

// A document's source contains what the document shows. It is encrypted for its content alone.

const ownerOfSource = (contentId: string): string => `source ${contentId}`

/** Returns the columns of an encrypted source. */
export const sourceColumns = (secrets: Secrets, contentId: string, source: Buffer): { source: Buffer; sealed_by: string } => {
  const { secret, sealedBy } = secrets.seal(ownerOfSource(contentId), source)
  return { source: secret, sealed_by: sealedBy }
}

/** Decrypts a source, also one that an older version stored in clear. */
export const openedSource = (secrets: Secrets, contentId: string, { secret, sealedBy }: Sealed): Buffer =>
  secrets.open(ownerOfSource(contentId), { secret, sealedBy })
