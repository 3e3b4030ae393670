/** The kinds of file that people may bring (api.md, Tickets), by what is in them; their names' endings must say the same. */
export const fileKinds = {
  pdf: { mediaType: 'application/pdf', endings: ['.pdf'] },
  jpg: { mediaType: 'image/jpeg', endings: ['.jpg', '.jpeg'] },
  png: { mediaType: 'image/png', endings: ['.png'] },
  heic: { mediaType: 'image/heic', endings: ['.heic', '.heif'] },
  docx: { mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', endings: ['.docx'] },
} as const satisfies Record<string, { mediaType: string; endings: readonly [string, ...string[]] }>

export type BroughtKind = keyof typeof fileKinds

export const fileEndings: string[] = Object.values(fileKinds).flatMap(({ endings }) => [...endings])

/** As a person reads it: `PDF, JPG, …`. */
export const fileKindNames: string = Object.keys(fileKinds)
  .map(kind => kind.toUpperCase())
  .join(', ')

/** A megabyte is a million bytes, as people read it. */
export const megabyte = 1_000_000
