import { addDays, displayDate, readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { answerDue, receivedDays, receivedProblems } from '#common/privacy/days.ts'
import { reasonProblems } from '#portal/administration/reason-dialog.tsx'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { BoundDate, BoundSelect } from '#portal/kit/form/bound.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'

const askers = ['person', 'guardian', 'representative'] as const

/** The facts that are recorded for every request: who asks, since when, and the reason. */
export type Asking = { askedBy: (typeof askers)[number]; receivedOn: string; reason: string }

export const newAsking = (): Asking => ({ askedBy: 'person', receivedOn: displayDate(todayInUnit()) ?? '', reason: '' })

const dayIn = ({ receivedOn }: Pick<Asking, 'receivedOn'>): string => readDate(receivedOn) ?? ''

export const askingProblems = (values: Asking): Problem[] => [
  ...receivedProblems(dayIn(values), todayInUnit()),
  ...reasonProblems(values.reason),
]

/** Returns the request as it is sent. Today's date is left out, as it may be another day in the agency's zone. */
export function askedIn(values: Asking) {
  const receivedOn = dayIn(values)
  const asked = { askedBy: values.askedBy, reason: values.reason.trim() }
  return receivedOn === todayInUnit() ? asked : { ...asked, receivedOn }
}

export function AskedBy() {
  const { words } = useWords()
  return (
    <BoundSelect
      name="askedBy"
      label={words('privacy.asked_by')}
      options={askers.map(value => ({ value, label: words('privacy.asker', { by: value }) }))}
    />
  )
}

/** The day on which the request came, and the day by which it must be answered. */
export function ReceivedOn({ receivedOn }: Pick<Asking, 'receivedOn'>) {
  const { words } = useWords()
  const { date } = useFormat()
  const day = dayIn({ receivedOn })
  const today = todayInUnit()
  const due = receivedProblems(day, today).length === 0 ? answerDue(day) : undefined
  const hint = due && words('privacy.received_hint', { state: due < today ? 'past' : 'ahead', date: date(due) })
  return (
    <BoundDate
      name="receivedOn"
      kind="past"
      label={words('privacy.received_on')}
      {...(hint ? { hint } : {})}
      today={today}
      min={addDays(today, -receivedDays)}
      required
    />
  )
}
