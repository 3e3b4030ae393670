import { displayDate } from '#common/kit/dates.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { Kbd } from '../kbd.tsx'
import { type Terms, useTerms } from '../terms.ts'
import { basisIn, canLabels } from '../labels.ts'
import { type DeskKind, type DeskParam, deskOf } from '../desk-params.ts'
import { Waiting } from '../payment/waiting.tsx'
import { undoLast } from './undo.ts'

type Props = { policyUuid: string; status: string }

/** The deeds that are possible on a policy. Without the permission there are none. */
function useDeeds({ policyUuid, status }: Props) {
  const mayChange = useMay('b2b-policies-change')
  const isSold = status === 'purchased' || status === 'cancelled'
  const { data } = useTerms(policyUuid, mayChange && isSold)
  const { show } = useListParams<DeskParam>()
  return {
    isOffered: mayChange && isSold,
    terms: data,
    deed: (action: Terms['can'][number]['action']) => data?.can.find(each => each.action === action),
    show,
    open: (desk: DeskKind) => show({ desk }),
  }
}

/** The main deeds, at the left of the panel's foot. A change can be begun before its terms have come. */
export function MainDeeds(props: Props) {
  const { words } = useWords()
  const { isOffered, terms, deed, open } = useDeeds(props)
  if (!isOffered) return null
  const waits = terms?.openChange
  return (
    <>
      {waits?.offeredTo === null && (
        <Button {...shortcut('change')} icon="card" onClick={() => open(deskOf(waits))} className="max-sm:flex-1">
          {words('changes.pay')} <Kbd>C</Kbd>
        </Button>
      )}
      {props.status === 'purchased' && (!terms || deed('change')) && (
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
export function EndDeed(props: Props) {
  const { words } = useWords()
  const { deed, open } = useDeeds(props)
  if (!deed('cancel')) return null
  return (
    <Button {...shortcut('cancel')} look="risk" onClick={() => open('cancel')} className="ml-auto max-sm:flex-1">
      {words('changes.cancel')}
    </Button>
  )
}

/** The deeds that are still possible, and until when. */
export function DeedsPart({ policyUuid, status }: Props) {
  const { words } = useWords()
  const { moment } = useFormat()
  const { terms, open, show } = useDeeds({ policyUuid, status })
  if (!terms || (terms.can.length === 0 && !terms.openChange)) return null
  const { can, withdrawal, openChange, currency } = terms
  const untilOf = (at: string | null) => (at ? words('changes.until', { at: moment(at) }) : words('changes.possible_now'))
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h3 className="font-semibold">{words('changes.after_sale')}</h3>
      {openChange && <Waiting open={openChange} currency={currency} />}
      <ul>
        {can.map(({ action, until }) => (
          <li key={action} className="flex min-h-(--control) items-center gap-3 border-b border-hair last:border-0">
            <span className="min-w-0 flex-1">
              {words(canLabels[action])}{' '}
              <span className="text-sm text-quiet">{action === 'withdraw' ? rightOf(withdrawal) : untilOf(until)}</span>
            </span>
            {action === 'undo' && (
              <Button look="plain" icon="repeat" className="-mr-2" onClick={() => void undoLast(policyUuid, words, show)}>
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
  function rightOf(withdrawal: Terms['withdrawal']): string {
    if (!withdrawal) return ''
    const { right, until } = withdrawal
    return words('changes.right_until', { right: words(basisIn(right)), day: displayDate(until) ?? until })
  }
}
