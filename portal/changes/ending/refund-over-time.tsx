import { totalIn } from '#common/quotes/price-lines.ts'
import { refundSteps, type RefundStep } from '#common/changes/ending/cancel.ts'
import type { Now, Policy } from '#common/changes/state.ts'
import { addDays, daysBetween, displayDate, today } from '#common/kit/dates.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'

type Props = { policy: Policy; now: Now; currency: string }

/** The refund from today on, and when it falls. */
export function RefundOverTime({ policy, now, currency }: Props) {
  const { words } = useWords()
  const { cents, moment } = useFormat()
  const steps = refundSteps(policy, now)
  const [first, next] = steps
  const dayOf = (at: number) => today(at, policy.timeZone)
  const todays = dayOf(now.at)
  if (!first) return <p className="font-semibold text-danger">{words('changes.back_nothing')}</p>
  const isAll = first.refund === totalIn(policy.charged)
  const days = next ? daysBetween(todays, dayOf(next.from)) : 0
  const worse =
    next &&
    (days === 0 ? words('changes.worse_at', { at: moment(new Date(next.from).toISOString()) }) : words('changes.worse_in', { days }))
  return (
    <section aria-label={words('changes.over_time')} className="grid gap-1.5">
      <div className="flex flex-wrap justify-between gap-x-4">
        <h4 className="font-semibold">{words(isAll ? 'changes.back_all' : 'changes.back_part')}</h4>
        {worse && <p className="font-semibold text-warning">{worse}</p>}
      </div>
      <ol className="grid auto-cols-fr gap-0.5 sm:grid-flow-col">
        {steps.map((step, index) => (
          <li key={step.from} className="grid content-start gap-1">
            <span className={`rounded-sm px-2 py-0.5 text-sm font-semibold ${toneOf(step, index)}`}>
              {step.falls ? words('changes.falls', { amount: cents(step.refund, currency) }) : cents(step.refund, currency)}
            </span>
            <span className="text-xs text-quiet">{spanOf(step, steps[index + 1])}</span>
          </li>
        ))}
      </ol>
    </section>
  )
  function spanOf({ from }: RefundStep, next: RefundStep | undefined): string {
    const start = from === now.at ? words('changes.today') : (displayDate(dayOf(from)) ?? '')
    if (!next) return words('changes.from_day', { day: start })
    const last = addDays(dayOf(next.from), -1)
    if (from === now.at && last < todays) return words('changes.until_moment', { at: moment(new Date(next.from).toISOString()) })
    return last === dayOf(from) ? start : `${start} – ${displayDate(last) ?? ''}`
  }
}

const toneOf = ({ refund }: RefundStep, index: number): string =>
  index === 0
    ? 'border-l-2 border-success bg-success-soft text-success'
    : refund > 0
      ? 'bg-warning-soft text-warning'
      : 'bg-sunken text-quiet'
