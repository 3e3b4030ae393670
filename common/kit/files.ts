/** The accepted upload types, detected by content (docs/decisions/0014-tickets.md). The file extension must match. */
export const fileKinds = {
  pdf: { mediaType: 'application/pdf', endings: ['.pdf'] },
  jpg: { mediaType: 'image/jpeg', endings: ['.jpg', '.jpeg'] },
  png: { mediaType: 'image/png', endings: ['.png'] },
  heic: { mediaType: 'image/heic', endings: ['.heic', '.heif'] },
  docx: { mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', endings: ['.docx'] },
} as const satisfies Record<string, { mediaType: string; endings: readonly [string, ...string[]] }>

export type BroughtKind = keyof typeof fileKinds

export const fileEndings: string[] = Object.values(fileKinds).flatMap(({ endings }) => [...endings])

/** The names for display: `PDF, JPG, …`. */
export const fileKindNames: string = Object.keys(fileKinds)
  .map(kind => kind.toUpperCase())
  .join(', ')

/** One megabyte is a million bytes. */
export const megabyte = 1_000_000

/** The maximum size of a file uploaded to a ticket or with a sale, in megabytes. */
export const fileMegabytes = 10
