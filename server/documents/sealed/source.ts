import type { Sealed, Secrets } from '#server/kit/store/secrets.ts'

// A document's source contains what the document shows. It is encrypted for its content alone.

const ownerOf = (contentId: string): string => `source ${contentId}`

/** Returns the columns of an encrypted source. */
export const sourceColumns = (secrets: Secrets, contentId: string, source: Buffer): { source: Buffer; sealed_by: string } => {
  const { secret, sealedBy } = secrets.seal(ownerOf(contentId), source)
  return { source: secret, sealed_by: sealedBy }
}

/** Decrypts a source, also one that an older version stored in clear. */
export const openedSource = (secrets: Secrets, contentId: string, { secret, sealedBy }: Sealed): Buffer =>
  secrets.open(ownerOf(contentId), { secret, sealedBy })
