import { totalIn } from '#common/quotes/price-lines.ts'
import type { ChangePreview } from '#common/changes/change.ts'
import type { Refused } from '#common/changes/refusals.ts'
import { useFormat, useSigned } from '#portal/kit/format.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { shortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'

type Props = {
  form: string
  preview: ChangePreview
  byCard: boolean
  isOffer: boolean
  /** The refusals already shown at their fields. */
  shown: readonly Refused[]
  currency: string
  busy: boolean
  onDiscard: () => void
}

/** Shows at every key the cost, effect and commission of the change, above the button that makes it. */
export function Foot({ form, preview, byCard, isOffer, shown, currency, busy, onDiscard }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { charge, refund } = preview
  const amount = cents(charge || refund, currency)
  return (
    <>
      <div className="w-full">
        {preview.after ? (
          <Result preview={preview} isPaidLater={isOffer || byCard} currency={currency} />
        ) : (
          <Missing preview={preview} shown={shown} />
        )}
      </div>
      <Button {...shortcut('next')} type="submit" form={form} busy={busy} className="flex-1 max-sm:whitespace-normal">
        {words(isOffer ? 'changes.do_offer' : labelOf(preview, byCard), { amount })} <Keys keys={shortcuts.next} />
      </Button>
      <Button look="plain" onClick={onDiscard}>
        {words('changes.discard')}
      </Button>
    </>
  )
}

function labelOf({ after, charge, refund }: ChangePreview, byCard: boolean) {
  if (!after) return 'changes.do'
  if (charge > 0) return byCard ? 'changes.do_card' : 'changes.do_charge'
  return refund > 0 ? 'changes.do_refund' : 'changes.do_free'
}

function Result({ preview, isPaidLater, currency }: Pick<Props, 'preview' | 'currency'> & { isPaidLater: boolean }) {
  const { words } = useWords()
  const { cents } = useFormat()
  const signed = useSigned(currency)
  const showsCommission = useShowsCommission()
  const { before, after, difference, charge, refund, commission, papers, waitUntil } = preview
  const sum = charge > 0 ? 'changes.more' : refund > 0 ? 'changes.less' : 'changes.same_price'
  return (
    <div role="status" className="grid gap-0.5 text-sm text-quiet">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <strong data-difference className="text-lg font-bold text-ink">
          {words(sum, { amount: cents(charge || refund, currency) })}
        </strong>
        {showsCommission && commission.amount !== 0 && (
          <span className={`font-semibold ${commission.amount > 0 ? 'text-success' : 'text-danger'}`}>
            {words('changes.your_commission', { amount: signed(commission.amount) })}
          </span>
        )}
      </div>
      <p>
        {[
          after && difference.total !== 0 && `${cents(totalIn(before), currency)} → ${cents(totalIn(after.charged), currency)}`,
          papers.includes('certificate') && words('changes.new_certificate'),
          words(isPaidLater ? 'changes.valid_once_paid' : waitUntil === null ? 'changes.valid_now' : 'changes.valid_later'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  )
}

function Missing({ preview: { refusals }, shown }: { preview: ChangePreview; shown: readonly Refused[] }) {
  const { words } = useWords()
  const [first] = shown
  const isUntouched = refusals[0]?.code === 'change.nothing'
  // The reason is shown at its field, or below the fields. Screen readers get it from here.
  const isRefused = first !== undefined && !isUntouched
  return (
    <p role="status" className={`text-sm ${isRefused ? 'font-semibold text-danger' : 'text-quiet'}`}>
      {isUntouched
        ? words('changes.nothing_yet')
        : words(isRefused && first.code !== 'validation.failed' ? 'changes.refused' : 'changes.incomplete')}
      {isRefused && <span className="sr-only">{problemIn(words, first)}</span>}
    </p>
  )
}
