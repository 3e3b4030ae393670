import type { ChangePreview } from '#common/changes/change.ts'
import { accountGateway } from '#common/changes/state.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { accountOf, type Terms } from '../terms.ts'
import { Routes } from '../routes.tsx'

type Props = { preview: ChangePreview; terms: Terms }

/** The way of the money, from when the change holds, and the documents that come. */
export function Settlement({ preview, terms }: Props) {
  const { words } = useWords()
  const { cents, moment, list } = useFormat()
  const { currency } = terms
  const { charge, refund, kept, routes, waived, withoutWay, waitUntil, papers } = preview
  if (!preview.after) return null
  const notes: { icon: IconName; text: string }[] = [
    ...(kept.amount > 0 ? [{ icon: 'info' as const, text: words(`changes.kept_${kept.reason ?? 'started'}`, { amount: cents(kept.amount, currency) }) }] : []),
    ...(waived > 0 ? [{ icon: 'info' as const, text: words('changes.waived', { amount: cents(waived, currency) }) }] : []),
    ...(withoutWay > 0 ? [{ icon: 'alert-triangle' as const, text: words('changes.without_way', { amount: cents(withoutWay, currency) }) }] : []),
    {
      icon: 'clock',
      text: waitUntil === null ? words('changes.at_once') : words('changes.waits', { at: moment(new Date(waitUntil).toISOString()) }),
    },
    {
      icon: 'file',
      text: papers.length === 0 ? words('changes.no_papers') : words('changes.papers', { papers: list(papers.map(paper => words(`changes.paper_${paper}`))) }),
    },
  ]
  const isByCard = charge > 0 && routes.some(({ gateway }) => gateway !== accountGateway)
  return (
    <div className="grid gap-2">
      {charge > 0 && !isByCard && waived === 0 && <Note icon="building">{words('changes.by_account', { amount: cents(charge, currency) })}</Note>}
      {isByCard && (
        <Note icon={accountOf(terms) ? 'building' : 'alert-triangle'}>
          {words(accountOf(terms) ? 'changes.card_by_account' : 'changes.card_not_possible', { amount: cents(charge, currency) })}
        </Note>
      )}
      {refund > 0 && <Routes routes={routes} currency={currency} leaves="in_an_hour" />}
      {notes.map(({ icon, text }) => (
        <Note key={text} icon={icon}>
          {text}
        </Note>
      ))}
    </div>
  )
}

const Note = ({ icon, children }: { icon: IconName; children: string }) => (
  <p className="flex gap-2 text-sm text-quiet">
    <Icon name={icon} className="mt-0.5 size-4" /> <span>{children}</span>
  </p>
)
