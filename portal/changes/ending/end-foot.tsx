import type { CancelPreview } from '#common/changes/ending/cancel.ts'
import { useFormat, useSigned } from '#portal/kit/format.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { shortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { endLabels } from '../labels.ts'
import type { EndWay } from './options.tsx'

type Props = {
  form: string
  way: EndWay
  preview: CancelPreview
  currency: string
  busy: boolean
  sells: boolean
  onBack: () => void
}

/** The refund and the commission lost, above the last button. */
export function EndFoot({ form, way, preview, currency, busy, sells, onBack }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const signed = useSigned(currency)
  const showsCommission = useShowsCommission()
  const { possible, refund, coverEnds, commission } = preview
  const amount = cents(refund, currency)
  const ending = way === 'withdrawal' ? 'withdraw' : sells ? 'sell' : 'cancel'
  return (
    <>
      {possible && way !== 'move' && (
        <div role="status" className="flex w-full flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 text-sm text-quiet">
          <strong data-difference className="text-lg font-bold text-ink">
            {refund > 0 ? words('changes.comes_back', { amount }) : words('changes.back_nothing')}
          </strong>
          <span>{words(coverEnds ? 'changes.ends_today' : 'changes.never_covered')}</span>
          {showsCommission && commission.amount !== 0 && (
            <span className="font-semibold text-danger">{words('changes.your_commission', { amount: signed(commission.amount) })}</span>
          )}
        </div>
      )}
      {way === 'move' && (
        <Button {...shortcut('next')} type="submit" form={form} icon="calendar" className="flex-1">
          {words('changes.move_date')}
        </Button>
      )}
      {possible && way !== 'move' && (
        <Button
          {...shortcut('next')}
          type="submit"
          form={form}
          look="danger"
          icon="calendar-x"
          busy={busy}
          className="flex-1 max-sm:whitespace-normal"
        >
          {words(endLabels[ending][refund > 0 ? 1 : 0], { amount })} <Keys keys={shortcuts.next} />
        </Button>
      )}
      <Button look="quiet" onClick={onBack}>
        {words('changes.back')}
      </Button>
    </>
  )
}
