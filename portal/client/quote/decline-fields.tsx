import { useState } from 'react'
import { type DeclineReason, declineReasons } from '#common/policies/quote-link.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** Asks for the name that the proof of the answer shows. The client need not give a reason. */
export function DeclineFields({ errors }: { errors: Record<string, string> }) {
  const { words } = useWords()
  const [reason, setReason] = useState('')
  return (
    <>
      <TextField label={words('answer.your_name')} name="name" autoComplete="name" maxLength={200} required error={errors['name']} />
      <Select
        label={words('answer.reason')}
        name="reason"
        optional
        placeholder
        value={reason}
        options={declineReasons.map(value => ({ value, label: words(labels[value]) }))}
        onChange={setReason}
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
