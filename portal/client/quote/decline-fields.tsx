import type { Ref } from 'react'
import { type DeclineReason, declineReasons } from '#common/policies/quote-link.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Props = {
  name: string
  onName: (name: string) => void
  nameField: Ref<HTMLInputElement>
  /** The name is missing, or was refused with this message. */
  error: 'missing' | { message: string } | undefined
  reason: DeclineReason | undefined
  onReason: (reason: DeclineReason | undefined) => void
}

/** Asks for the name that the proof of the answer shows. The client need not give a reason. */
export function DeclineFields({ name, onName, nameField, error, reason, onReason }: Props) {
  const { words } = useWords()
  return (
    <>
      <TextField
        ref={nameField}
        label={words('answer.your_name')}
        name="name"
        autoComplete="name"
        maxLength={200}
        required
        value={name}
        onChange={event => onName(event.target.value)}
        error={error === 'missing' ? words('validation.required') : error?.message}
      />
      <Select
        label={words('answer.reason')}
        name="reason"
        optional
        placeholder
        value={reason ?? ''}
        options={declineReasons.map(value => ({ value, label: words(labels[value]) }))}
        onChange={value => onReason(declineReasons.find(each => each === value))}
      />
    </>
  )
}

const labels = {
  covered_elsewhere: 'answer.covered_elsewhere',
  too_dear: 'answer.too_dear',
  not_travelling: 'answer.not_travelling',
  not_wanted: 'answer.not_wanted',
  other: 'answer.other',
} as const satisfies Record<DeclineReason, string>
