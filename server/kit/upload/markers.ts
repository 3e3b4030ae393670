/**
 * The reason why a file is refused. `ending`: the name says another kind. `large`: too many pixels. `heavy`: too much work. `active`: it has content
 * that runs, or that is hidden.
 */
export type FileProblem = 'empty' | 'kind' | 'ending' | 'broken' | 'large' | 'heavy' | 'active'

/** True if the bytes have markup that a browser would run as a page or a script. */
export const holdsScript = (bytes: Buffer): boolean =>
  /<(?:script|html|svg|iframe|object|embed|\?php|!doctype)\b|javascript:/i.test(bytes.toString('latin1'))

const signatures = ['PK\x03\x04', 'PK\x05\x06', '%PDF-', 'Rar!\x1a', '7z\xbc\xaf\x27\x1c', '\x7fELF', 'MZ\x90\x00'].map(signature =>
  Buffer.from(signature, 'latin1'),
)

/** True if the bytes after a file's own end have another file that some program would find there. */
export const holdsOther = (rest: Buffer): boolean =>
  rest.length > 0 && (signatures.some(signature => rest.includes(signature)) || holdsScript(rest))
