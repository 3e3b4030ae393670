import { displayDate } from '#common/kit/dates.ts'
import { shownEnd, timeOfDay, useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import { useMay } from '#portal/session/session.ts'
import { basisIn, canLabels, cannotLabels, labelIn } from '../labels.ts'
import type { DeskParam } from '../desk-params.ts'
import { Waiting } from '../payment/waiting.tsx'
import { reasonIn } from '../versions/versions.tsx'
import { useRenew } from './renew.ts'
import { useUndo } from './undo.ts'

type Props = { detail: PolicyDetail }

/** The movements that are still possible, each with its end, and why the others are not. */
export function MovementsPart({ detail }: Props) {
  const { words } = useWords()
  const { moment } = useFormat()
  const { show } = useListParams<DeskParam>()
  const mayChange = useMay('b2b-policies-change')
  const { can, cannot, policy, withdrawal } = detail
  const waits = mayChange ? detail.openChange : null
  const undo = useUndo(policy.policyUuid)
  const renew = useRenew(policy.policyUuid)
  const maySell = useMay('b2b-products-sell')
  if (can.length === 0 && cannot.length === 0 && !waits) return null
  const untilOf = (at: string | null) => (at ? words('changes.until', { at: shownEnd(at) }) : words('changes.possible_now'))
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h3 className="font-semibold">{words('changes.after_sale')}</h3>
      {waits && <Waiting open={waits} currency={policy.currency} />}
      <ul>
        {can
          .filter(({ only }) => !only)
          .map(({ action, until }) => (
            <li key={action} className="flex min-h-(--control) items-center gap-3 border-b border-hair py-1.5 last:border-0">
              <span className="min-w-0 flex-1">
                {words(canLabels[action])} {/* The button of an undo says until when. */}
                {action !== 'undo' && (
                  <span className="text-sm text-quiet">{action === 'withdraw' ? rightOf(withdrawal) : untilOf(until)}</span>
                )}
              </span>
              {action === 'undo' && (
                <Button look="plain" icon="repeat" className="-mr-2" onClick={() => void undo()}>
                  {until ? words('changes.undo_until', { at: timeOfDay(moment(until)) }) : words('ui.undo')}
                </Button>
              )}
              {action === 'renew' && maySell && (
                <Button look="plain" icon="bookmark" className="-mr-2" onClick={() => void renew()}>
                  {words('changes.renew')}
                </Button>
              )}
              {action === 'withdraw' && (
                <Button look="risk" className="-mr-2" onClick={() => show({ desk: 'withdraw' })}>
                  {words('changes.withdraw')}
                </Button>
              )}
            </li>
          ))}
        {cannot
          // The note above says so, with the way out.
          .filter(({ code }) => !(waits && code === 'change.pending'))
          .map(({ action, code }) => {
            const label = labelIn(cannotLabels, code)
            return (
              label && (
                <li key={action} className="border-b border-hair py-1.5 last:border-0">
                  {action === 'withdraw' && words(canLabels.withdraw)} <span className="text-sm text-quiet">{words(label)}</span>
                </li>
              )
            )
          })}
      </ul>
    </section>
  )
  function rightOf(withdrawal: PolicyDetail['withdrawal']): string {
    if (!withdrawal) return ''
    const { right, until } = withdrawal
    return words('changes.right_until', { right: words(basisIn(right)), day: displayDate(until) ?? until })
  }
}

/** When and why a policy was cancelled. The refund stands above. */
export function EndedPart({ detail: { ended } }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { moment } = useFormat()
  if (!ended) return null
  const { kind, at, basis, note } = ended
  return (
    <Properties>
      <Property name={words(kind === 'withdrawal' ? 'events.withdrawal_received' : 'events.cancelled')}>{moment(at)}</Property>
      <Property name={words('changes.why')}>
        {[reasonIn(ended, words), basis && words(basisIn(basis)), note].filter(Boolean).join(' · ')}
      </Property>
    </Properties>
  )
}
