import { formatMoney } from '#common/kit/money.ts'
import type { Words } from '#common/kit/words/words.ts'
import { frame } from '../pdf/parts.ts'
import type { PdfDocument } from '../pdf/document.ts'
import type { DocumentFacts } from '../pdf/facts.ts'
import { momentIn } from '../pdf/moment.ts'
import { changesPart, needsPart, pricesPart } from './supplement.ts'

/** The facts of the version that is made once the client has paid, and until when the client can pay. */
export type PreviewFacts = { facts: DocumentFacts; until: Date }

/** Returns the preview of a change that waits for the client. It insures nothing, so it has no code by which to check it. */
export function preview({ facts, until }: PreviewFacts, words: Words): PdfDocument {
  const { policy, movement } = facts
  const name = words('documents.preview')
  const before = movement?.before ?? facts
  const { locale, currency } = policy
  return {
    ...frame(facts, words, name),
    title: name,
    intro: words('documents.preview.intro', { number: policy.number ?? '' }),
    parts: [
      {
        kind: 'hero',
        rows: [
          { label: words('documents.number'), value: policy.number ?? '' },
          { label: words('documents.preview.charge'), value: formatMoney(movement?.charge ?? 0, locale, currency) },
          { label: words('documents.preview.until'), value: momentIn(until, facts) },
        ],
      },
      ...changesPart(before, facts, words),
      pricesPart(before, facts, words),
      ...needsPart(facts, words),
      {
        kind: 'note',
        heading: words('documents.supplement.notes'),
        items: [
          ...(movement?.waitUntil ? [words('documents.preview.wait', { until: momentIn(movement.waitUntil, facts) })] : []),
          words('documents.preview.rest'),
        ],
      },
    ],
  }
}
