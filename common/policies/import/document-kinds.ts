import { searchable } from '#common/kit/text.ts'

/** Returns the kind of a document as lists and the form's labels write it, in any language; undefined for other text. */
export function documentKindOf(text: string): 'passport' | 'national' | undefined {
  const kind = searchable(text).replaceAll(/[^a-z]/g, '')
  if (passport.has(kind)) return 'passport'
  return national.has(kind) ? 'national' : undefined
}

/** True for a column in which most cells are kinds of documents. A single letter may mean something else. */
export const holdsKinds = (cells: readonly string[]): boolean =>
  cells.filter(text => text.length > 1 && documentKindOf(text)).length * 2 > cells.length

const passport = new Set('p pas pp passport pasaporte passeport passaporto passaporte'.split(' '))
const national = new Set(
  (
    'n id idcard dni nie nif dninie dnionie cni cc ci documento piece national nacional nationale nazionale cartaodecidadao cartadidentita ' +
    'cartedidentite identitycard documentonacional codicefiscale codfiscale'
  ).split(' '),
)
