import type { ChangePreview } from '#common/changes/change.ts'
import { changesNeeds } from '#common/changes/differences.ts'
import { shownEnd, useFormat } from '#portal/kit/format.ts'
import type { IconName } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { documentLabels, keptLabels } from '../labels.ts'
import { Note, Routes } from '../notes.tsx'
import { Charge, type Way } from '../payment/charge.tsx'
import { OfferFields, type OfferedTo } from '../payment/offer-fields.tsx'
import type { Terms } from '../terms.ts'

type Props = { preview: ChangePreview; way: Way; terms: Terms; offer: OfferedTo }

/** The route of the money, the start of the change, and the new documents. */
export function Settlement({ preview, way, terms, offer }: Props) {
  const { words } = useWords()
  const { cents, list, moment } = useFormat()
  const { currency, policy } = terms
  const { charge, refund, kept, routes, withoutWay, waitUntil, papers } = preview
  const waived = charge > 0 ? way.waived : preview.waived
  const { after } = preview
  if (!after) return null
  const holdsFrom = way.isOffer
    ? words('changes.offer_until', { at: shownEnd(new Date(preview.validUntil).toISOString()) })
    : waitUntil !== null
      ? words('changes.waits', { at: moment(new Date(waitUntil).toISOString()) })
      : words('changes.at_once')
  // The text beside the card says it.
  const cardSaysIt = way.isByCard && waitUntil === null
  const notes: { icon: IconName; text: string }[] = [
    ...(kept.amount > 0
      ? [{ icon: 'info' as const, text: words(keptLabels[kept.reason ?? 'started'], { amount: cents(kept.amount, currency) }) }]
      : []),
    ...(waived > 0 ? [{ icon: 'info' as const, text: words('changes.waived', { amount: cents(waived, currency) }) }] : []),
    ...(withoutWay > 0
      ? [{ icon: 'alert-triangle' as const, text: words('changes.without_way', { amount: cents(withoutWay, currency) }) }]
      : []),
    ...(cardSaysIt ? [] : [{ icon: 'clock' as const, text: holdsFrom }]),
    {
      icon: 'file',
      text:
        papers.length === 0
          ? words('changes.no_papers')
          : words('changes.papers', { documents: list(papers.map(paper => words(documentLabels[paper]))) }),
    },
    ...(changesNeeds(policy, after) ? [{ icon: 'info' as const, text: words('changes.new_needs') }] : []),
  ]
  return (
    <div className="grid gap-2">
      <Charge charge={charge} way={way} terms={terms}>
        <OfferFields offer={offer} amount={cents(charge, currency)} />
      </Charge>
      {refund > 0 && <Routes routes={routes} currency={currency} leaves="in_an_hour" />}
      {notes.map(({ icon, text }) => (
        <Note key={text} icon={icon}>
          {text}
        </Note>
      ))}
    </div>
  )
}
