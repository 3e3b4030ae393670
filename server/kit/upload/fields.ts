import { decodeEntities, local, type Token } from './xml.ts'

/** Characters read of a field: some hold whole lists of books, but the first word names the field. */
const longestStart = 2000

/** Separates the pieces of a field; no text of XML holds it. */
const seam = '\u0001'
const dde = /\u0001[^a-z\u0001]*D\u0001*D\u0001*E(?:\u0001*A\u0001*U\u0001*T\u0001*O)?(?![a-z\d])/i

/**
 * Finds DDE fields of Word, which start a program. A field's text is an attribute, or pieces in many elements: any piece may be the first,
 * so that misleading elements need not be believed.
 */
export class Fields {
  private said = ''
  private hides = false
  private saying = false

  read(token: Token): void {
    if (token.kind === 'text' && this.saying) this.take(token.text)
    if (token.kind !== 'open' && token.kind !== 'close') return
    if (/^(?:del)?instrText$/i.test(local(token.name))) this.saying = token.kind === 'open'
    if (token.kind === 'open') for (const [name, value] of token.attributes) if (local(name) === 'instr') this.take(value)
  }

  /** True after the last token if a field starts a program. One that begins with 2000 characters without a letter hides its first word. */
  startProgram(): boolean {
    return this.hides || dde.test(this.said)
  }

  private take(written: string): void {
    const start = decodeEntities(written.slice(0, longestStart)).text
    this.said += seam + start
    this.hides ||= written.length > longestStart && !/[a-z]/i.test(start)
  }
}
