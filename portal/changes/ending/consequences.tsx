import type { CancelPreview } from '#common/changes/ending/cancel.ts'
import type { Policy } from '#common/changes/state.ts'
import { displayDate } from '#common/kit/dates.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { textOf } from '../draft/draft.ts'
import { Routes } from '../routes.tsx'

type Props = { preview: CancelPreview; policy: Policy; currency: string }

/** The route of the refund, the end of cover, who is informed, and if it can be undone. */
export function Consequences({ preview, policy, currency }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { routes, kind, coverEnds, withoutWay } = preview
  const email = textOf(policy.people[0]?.['email'])
  const notes: ([IconName, string] | false)[] = [
    withoutWay > 0 && ['alert-triangle', words('changes.without_way', { amount: cents(withoutWay, currency) })],
    ['shield', coverEnds ? words('changes.cover_ends', { day: displayDate(coverEnds) ?? coverEnds }) : words('changes.cover_ends_now')],
    ['check', words('changes.no_claims')],
    email !== '' && ['mail', words('changes.tells_client', { email })],
    ['repeat', words(kind === 'withdrawal' ? 'changes.not_undone' : 'changes.can_be_undone')],
  ]
  return (
    <div className="grid gap-1.5">
      <Routes routes={routes} currency={currency} leaves={kind === 'withdrawal' ? 'now' : 'in_an_hour'} />
      {notes
        .filter(note => note !== false)
        .map(([icon, text]) => (
          <p key={text} className="flex gap-2 text-sm text-quiet">
            <Icon name={icon} className="mt-0.5 size-4" /> <span>{text}</span>
          </p>
        ))}
    </div>
  )
}
