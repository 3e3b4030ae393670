import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { readDate } from '#common/kit/dates.ts'
import { rectifyPerson } from '#common/privacy/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundDate, BoundText } from '#portal/kit/form/bound.tsx'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FormActions } from '../form-actions.tsx'
import { reload } from '../queries.ts'
import { ReasonField, reasonProblems } from '../reason-dialog.tsx'
import { AskedBy, type Asking, asking } from './asking.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import type { Person } from './person.ts'

const texts = [
  'name',
  'middleName',
  'lastName',
  'docNumber',
  'email',
  'phonePrefix',
  'phoneNumber',
  'address',
  'city',
  'state',
  'zipCode',
] as const
type Facts = Record<(typeof texts)[number], string>

const nothing = Object.fromEntries(texts.map(name => [name, ''])) as Facts // Safe: its names are those of the texts.

/** Corrects facts of a person in every running policy. What became of each policy is shown before the window closes. */
export function RectifyDialog({
  person: { personKey, name },
  onDone,
  onClose,
}: {
  person: Person
  onDone: () => void
  onClose: () => void
}) {
  const { words } = useWords()
  const [outcome, setOutcome] = useState<ResponseOf<typeof rectifyPerson>>()
  const form = useRulesForm<Asking & Facts & { birthDate: string }>({
    defaultValues: { ...asking, ...nothing, birthDate: '' },
    rules: values => [
      ...(values.birthDate.trim() !== '' && !readDate(values.birthDate)
        ? [{ path: 'birthDate', rule: 'validDate' as const, key: 'validation.invalidDate' as const }]
        : []),
      ...(([...texts, 'birthDate'] as const).every(each => values[each].trim() === '')
        ? [{ path: 'name', rule: 'required' as const, key: 'privacy.rectify_nothing' as const }]
        : []),
      ...reasonProblems(values.reason),
    ],
    send: async ({ askedBy, reason, birthDate, ...facts }) => {
      const day = readDate(birthDate)
      const typed = Object.fromEntries(texts.filter(each => facts[each].trim() !== '').map(each => [each, facts[each].trim()]))
      setOutcome(
        await ask(rectifyPerson, { personKey, askedBy, reason: reason.trim(), fields: { ...typed, ...(day ? { birthDate: day } : {}) } }),
      )
      await reload()
    },
    fieldOf: path => path.replace(/^fields\./, ''),
  })
  const head = { title: words('privacy.rectify'), description: name ?? words('privacy.unnamed') }
  if (outcome)
    return (
      <Dialog open onClose={onDone} {...head} actions={<Button onClick={onDone}>{words('ui.close')}</Button>}>
        <OutcomeTable outcome={outcome} caption={words('privacy.column_outcome')} />
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={onClose}
      busy={form.busy}
      {...head}
      actions={<FormActions form={form} label={words('privacy.rectify_send')} onCancel={onClose} />}
    >
      <p className="text-quiet">{words('privacy.rectify_hint')}</p>
      <RulesForm form={form} className="grid gap-(--gap)">
        <div className="grid items-start gap-(--gap) sm:grid-cols-2">
          {texts.map(each => (
            <BoundText key={each} name={each} label={words('privacy.fact', { fact: each })} maxLength={254} optional={false} />
          ))}
          <BoundDate name="birthDate" label={words('privacy.birth_date')} optional={false} />
          <AskedBy />
        </div>
        <ReasonField />
      </RulesForm>
    </Dialog>
  )
}
