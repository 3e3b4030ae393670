import type { Words } from '#common/kit/words/words.ts'
import { certificate, offer } from '../pdf/certificate.ts'
import type { PdfDocument } from '../pdf/document.ts'
import type { DocumentFacts } from '../pdf/facts.ts'
import { creditNote, receipt } from '../pdf/receipt.ts'
import type { Kind } from '../versions/planned.ts'
import { cancellation, withdrawal } from './ending.ts'
import { supplement } from './supplement.ts'

type OfPolicy = Exclude<Kind, 'information' | 'conditions'>

/** Returns a policy's own document. `verify` is the URL of the page that says whether it is valid. */
export function policyDocument(kind: OfPolicy, facts: DocumentFacts, words: Words, verify: string): PdfDocument {
  switch (kind) {
    case 'offer':
      return offer(facts, words)
    case 'certificate':
      return certificate(facts, words, verify)
    case 'receipt':
      return receipt(facts, words, verify)
    case 'credit_note':
      return creditNote(facts, words, verify)
    case 'supplement':
      return supplement(facts, words, verify)
    case 'cancellation':
      return cancellation(facts, words, verify)
    case 'withdrawal':
      return withdrawal(facts, words, verify)
  }
}
