import { local, type Mark, saidIn } from './markup.ts'

/** Of what a field says; some hold whole lists of books, but the first word tells what it does. */
const longestStart = 2000

/** Between one piece and the next; no text of XML holds it. */
const seam = '\u0001'
const dde = /\u0001[^a-z\u0001]*D\u0001*D\u0001*E(?:\u0001*A\u0001*U\u0001*T\u0001*O)?(?![a-z\d])/i

/**
 * A DDE field of Word starts a program. What a field does is said in an attribute, or in pieces over many elements: any piece may be the first,
 * so that no marks that are made to mislead have to be believed.
 */
export class Fields {
  private said = ''
  private hides = false
  private saying = false

  read(mark: Mark): void {
    if (mark.kind === 'text' && this.saying) this.take(mark.text)
    if (mark.kind !== 'open' && mark.kind !== 'close') return
    if (/^(?:del)?instrText$/i.test(mark.name)) this.saying = mark.kind === 'open'
    if (mark.kind === 'open') for (const [name, value] of mark.attributes) if (local(name) === 'instr') this.take(value)
  }

  /** When all is read. What begins with more signs than anybody writes is made to hide its first word. */
  startProgram(): boolean {
    return this.hides || dde.test(this.said)
  }

  private take(written: string): void {
    const start = saidIn(written.slice(0, longestStart))
    this.said += seam + start
    this.hides ||= written.length > longestStart && !/[a-z]/i.test(start)
  }
}
