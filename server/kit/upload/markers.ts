/** Why a file is refused. `ending`: the name says another kind. `large`: too many pixels. `heavy`: too much work. `active`: holds what runs or hides. */
export type FileProblem = 'empty' | 'kind' | 'ending' | 'broken' | 'large' | 'heavy' | 'active'

/** Words that make a page or a program of a file, for whoever reads it as one. */
export const holdsScript = (bytes: Buffer): boolean =>
  /<(?:script|html|svg|iframe|object|embed|\?php|!doctype)\b|javascript:/i.test(bytes.toString('latin1'))

const signs = ['PK\x03\x04', 'PK\x05\x06', '%PDF-', 'Rar!\x1a', '7z\xbc\xaf\x27\x1c', '\x7fELF', 'MZ\x90\x00'].map(sign =>
  Buffer.from(sign, 'latin1'),
)

/** What stands behind a file's own end: another file that some program would find there. */
export const holdsOther = (rest: Buffer): boolean => rest.length > 0 && (signs.some(sign => rest.includes(sign)) || holdsScript(rest))
