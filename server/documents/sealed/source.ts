import type { Sealed, Secrets } from '#server/kit/store/secrets.ts'

// The source of a document has what the document shows. It is sealed for its content alone.

const ownerOf = (contentId: string): string => `source ${contentId}`

/** The columns of a source. */
export const sourceColumns = (secrets: Secrets, contentId: string, source: Buffer): { source: Buffer; sealed_by: string } => {
  const { secret, sealedBy } = secrets.seal(ownerOf(contentId), source)
  return { source: secret, sealed_by: sealedBy }
}

/** Opens a source, also one that an older version stored openly. */
export const openedSource = (secrets: Secrets, contentId: string, { secret, sealedBy }: Sealed): Buffer =>
  secrets.open(ownerOf(contentId), { secret, sealedBy })
