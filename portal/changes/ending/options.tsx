import type { ReactNode } from 'react'
import { previewEnding } from '#common/changes/ending/cancel.ts'
import type { Now, Policy } from '#common/changes/state.ts'
import { displayDate } from '#common/kit/dates.ts'
import { shownEnd, useFormat } from '#portal/kit/format.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { useWords } from '#portal/kit/words.tsx'
import { basisIn } from '../labels.ts'
import type { Terms } from '../terms.ts'
import type { Goodwill } from './goodwill.tsx'

/** `move`, to another date, keeps the policy and its commission; the others end it. */
export type EndWay = 'move' | 'cancellation' | 'withdrawal' | 'goodwill'

type Props = { policy: Policy; terms: Terms; way: EndWay; now: Now; goodwill: Goodwill; onWay: (way: EndWay) => void }

/** The options, best for the client first, each with its refund and time limit. */
export function Options({ policy, terms, way, now, goodwill, onWay }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const showsCommission = useShowsCommission()
  const { currency, can, withdrawal } = terms
  const ending = previewEnding(policy, { as: 'cancellation', version: policy.version, acceptNoRefund: true }, now)
  const leaving = previewEnding(policy, { as: 'withdrawal', version: policy.version }, now)
  const until = (at: number) => shownEnd(new Date(at).toISOString())
  // The first is the one that is recorded. Another is worth its line if it lasts longer.
  const [best, ...others] = ending.options.filter(({ until }, index, all) => all.slice(0, index).every(before => before.until < until))
  const commission = showsCommission ? cents(policy.charged.commission, currency) : undefined
  const isMovable = ending.possible && can.some(({ action }) => action === 'change') && now.at < startsAt(terms)
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">{words('changes.ways')}</legend>
      {isMovable && (
        <Option
          way="move"
          chosen={way}
          onWay={onWay}
          title={words('changes.way_move')}
          amount={<span className="text-success">{words('changes.no_loss')}</span>}
        >
          {commission ? words('changes.way_move_hint', { amount: commission }) : words('changes.way_move_plain')}
        </Option>
      )}
      {leaving.possible && withdrawal && (
        <Option
          way="withdrawal"
          chosen={way}
          onWay={onWay}
          title={words('changes.way_withdrawal', { right: words(basisIn(withdrawal.right)) })}
          amount={words('changes.gives_back', { amount: cents(leaving.refund, currency) })}
        >
          {words('changes.way_withdrawal_hint', { day: displayDate(withdrawal.until) ?? withdrawal.until })}
        </Option>
      )}
      {ending.possible && ending.kind === 'cancellation' && (
        <Option
          way="cancellation"
          chosen={way}
          onWay={onWay}
          title={
            best
              ? words('changes.way_cancellation', { key: best.basis, basis: words(basisIn(best.basis)) })
              : words('changes.way_cancellation_none')
          }
          amount={words('changes.gives_back', { amount: cents(ending.refund, currency) })}
        >
          {best && ending.refund > 0 ? words('changes.until', { at: until(best.until) }) : words('changes.back_nothing')}
          {others.map(other => (
            <span key={other.basis} className="block">
              {words('changes.also', { basis: words(basisIn(other.basis)), amount: cents(other.refund, currency), at: until(other.until) })}
            </span>
          ))}
        </Option>
      )}
      {goodwill.isOffered && (
        <Option
          way="goodwill"
          chosen={way}
          onWay={onWay}
          title={words('changes.way_goodwill')}
          amount={goodwill.refund !== undefined && words('changes.gives_back', { amount: cents(goodwill.refund, currency) })}
        >
          {words('changes.way_goodwill_hint')}
        </Option>
      )}
    </fieldset>
  )
}

/** Before departure, the dates can still move. */
const startsAt = ({ can }: Terms): number => {
  const until = can.find(({ action }) => action === 'change')?.until
  return until ? Date.parse(until) : Infinity
}

type OptionProps = { way: EndWay; chosen: EndWay; onWay: (way: EndWay) => void; title: string; amount: ReactNode; children: ReactNode }

function Option({ way, chosen, onWay, title, amount, children }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the title and the amount are its text
    <label className="flex gap-3 rounded-lg border border-line p-3 transition-colors hover:border-field-line has-checked:border-ink has-checked:inset-ring has-checked:inset-ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink">
      <input
        type="radio"
        name="way"
        value={way}
        checked={way === chosen}
        onChange={() => onWay(way)}
        className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-field-line bg-sheet outline-none checked:border-[5px] checked:border-ink"
      />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex flex-wrap justify-between gap-x-4">
          <span className="font-semibold">{title}</span>
          <span className="font-semibold">{amount}</span>
        </span>
        <span className="text-sm text-quiet">{children}</span>
      </span>
    </label>
  )
}
