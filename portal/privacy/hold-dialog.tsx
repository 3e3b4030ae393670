import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { holdData } from '#common/privacy/calls.ts'
import { holdProblems } from '#common/privacy/hold.ts'
import { done } from '#portal/administration/use-records.ts'
import { FormDialog } from '#portal/administration/form-actions.tsx'
import { ReasonField, reasonProblems } from '#portal/administration/reason-dialog.tsx'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundDate } from '#portal/kit/form/bound.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import { type Place, placeName } from './person.ts'

type Values = { until: string; reason: string }

const problems = ({ until, reason }: Values): Problem[] => [
  ...(until === ''
    ? [{ path: 'until', rule: 'required', key: 'validation.required' }]
    : holdProblems(readDate(until) ?? '', todayInUnit())),
  ...reasonProblems(reason),
]

/** Holds a policy or ticket for a lawsuit, until a day. */
export function HoldDialog({ place, onDone, onClose }: { place: Place; onDone: () => void; onClose: () => void }) {
  const { words } = useWords()
  const { kind, uuid } = place
  const form = useRulesForm<Values>({
    defaultValues: { until: '', reason: '' },
    rules: problems,
    send: async ({ until, reason }) => {
      if (kind === 'budget') return
      await ask(holdData, { kind, uuid, until: readDate(until) ?? '', reason: reason.trim() })
      await done(words('privacy.held'), onDone)
    },
  })
  return (
    <FormDialog
      form={form}
      title={placeName(place, words)}
      description={words('privacy.hold_hint')}
      button={words('privacy.hold')}
      onClose={onClose}
    >
      <BoundDate name="until" label={words('privacy.hold_until')} min={todayInUnit()} required />
      <ReasonField />
    </FormDialog>
  )
}
