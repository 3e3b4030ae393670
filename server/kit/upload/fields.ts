import { decodeEntities, local, type Token } from '#common/kit/xml/xml.ts'

/** The characters that are read of a field. Some fields hold long lists, but the first word names the field. */
const longestStart = 2000

/** Separates the pieces of a field; no XML text contains it. */
const seam = '\u0001'
const dde = /\u0001[^a-z\u0001]*D\u0001*D\u0001*E(?:\u0001*A\u0001*U\u0001*T\u0001*O)?(?![a-z\d])/i

/**
 * Finds DDE fields of Word, which start a program. A field's text is an attribute, or pieces in many elements. Any piece counts as a possible first
 * one, so that misleading elements between them do not matter.
 */
export class Fields {
  private pieces = ''
  private isHidden = false
  private isReading = false

  read(token: Token): void {
    if (token.kind === 'text' && this.isReading) this.add(token.text)
    if (token.kind !== 'open' && token.kind !== 'close') return
    if (/^(?:del)?instrText$/i.test(local(token.name))) this.isReading = token.kind === 'open'
    if (token.kind === 'open') for (const [name, value] of token.attributes) if (local(name) === 'instr') this.add(value)
  }

  /** Returns true after the last token if a field starts a program. 2000 characters without a letter hide the first word, and count. */
  startProgram(): boolean {
    return this.isHidden || dde.test(this.pieces)
  }

  private add(written: string): void {
    const start = decodeEntities(written.slice(0, longestStart)).text
    this.pieces += seam + start
    this.isHidden ||= written.length > longestStart && !/[a-z]/i.test(start)
  }
}
