import { displayDate } from '#common/kit/dates.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import { useMay } from '#portal/session/session.ts'
import { Kbd } from '../kbd.tsx'
import { basisIn, canLabels } from '../labels.ts'
import { type DeskKind, type DeskParam, deskOf } from '../desk-params.ts'
import { Waiting } from '../payment/waiting.tsx'
import { useUndo } from './undo.ts'

type Props = { detail: PolicyDetail }
type Possible = PolicyDetail['can'][number]

/** The deeds that are possible on a policy. Without the permission there are none. */
function useDeeds({ can, openChange }: PolicyDetail) {
  const mayChange = useMay('b2b-policies-change')
  const { show } = useListParams<DeskParam>()
  return {
    waits: mayChange ? openChange : null,
    deed: (action: Possible['action']) => can.find(each => each.action === action),
    open: (desk: DeskKind) => show({ desk }),
  }
}

/** The main deeds, at the left of the panel's foot. */
export function MainDeeds({ detail }: Props) {
  const { words } = useWords()
  const { waits, deed, open } = useDeeds(detail)
  return (
    <>
      {waits?.offeredTo === null && (
        <Button {...shortcut('change')} icon="card" onClick={() => open(deskOf(waits))} className="max-sm:flex-1">
          {words('changes.pay')} <Kbd>C</Kbd>
        </Button>
      )}
      {deed('change') && (
        <Button {...shortcut('change')} icon="pencil" onClick={() => open('change')} className="max-sm:flex-1">
          {words('changes.change')} <Kbd>C</Kbd>
        </Button>
      )}
      {deed('reinstate') && (
        <Button {...shortcut('change')} icon="repeat" onClick={() => open('reinstate')} className="max-sm:flex-1">
          {words('changes.reinstate')} <Kbd>C</Kbd>
        </Button>
      )}
    </>
  )
}

/** The deed that ends a policy, at the right. */
export function EndDeed({ detail }: Props) {
  const { words } = useWords()
  const { deed, open } = useDeeds(detail)
  if (!deed('cancel')) return null
  return (
    <Button {...shortcut('cancel')} look="risk" onClick={() => open('cancel')} className="ml-auto max-sm:flex-1">
      {words('changes.cancel')}
    </Button>
  )
}

/** The deeds that are still possible, and until when. */
export function DeedsPart({ detail }: Props) {
  const { words } = useWords()
  const { moment } = useFormat()
  const { waits, open } = useDeeds(detail)
  const { can, policy, withdrawal } = detail
  const undo = useUndo(policy.policyUuid)
  if (can.length === 0 && !waits) return null
  const untilOf = (at: string | null) => (at ? words('changes.until', { at: moment(at) }) : words('changes.possible_now'))
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h3 className="font-semibold">{words('changes.after_sale')}</h3>
      {waits && <Waiting open={waits} currency={policy.currency} />}
      <ul>
        {can.map(({ action, until }) => (
          <li key={action} className="flex min-h-(--control) items-center gap-3 border-b border-hair last:border-0">
            <span className="min-w-0 flex-1">
              {words(canLabels[action])}{' '}
              <span className="text-sm text-quiet">{action === 'withdraw' ? rightOf(withdrawal) : untilOf(until)}</span>
            </span>
            {action === 'undo' && (
              <Button look="plain" icon="repeat" className="-mr-2" onClick={() => void undo()}>
                {until ? words('changes.undo_until', { at: moment(until).slice(-5) }) : words('ui.undo')}
              </Button>
            )}
            {action === 'withdraw' && (
              <Button look="risk" className="-mr-2" onClick={() => open('withdraw')}>
                {words('changes.withdraw')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
  function rightOf(withdrawal: PolicyDetail['withdrawal']): string {
    if (!withdrawal) return ''
    const { right, until } = withdrawal
    return words('changes.right_until', { right: words(basisIn(right)), day: displayDate(until) ?? until })
  }
}
