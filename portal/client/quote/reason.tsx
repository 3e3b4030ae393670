import { type DeclineReason, declineReasons } from '#common/policies/quote-link.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Props = { reason: DeclineReason | undefined; onChange: (reason: DeclineReason | undefined) => void }

/** The client need not give a reason. */
export function Reason({ reason, onChange }: Props) {
  const { words } = useWords()
  return (
    <Select
      label={words('answer.reason')}
      name="reason"
      optional
      placeholder
      value={reason ?? ''}
      options={declineReasons.map(value => ({ value, label: words(labels[value]) }))}
      onChange={value => onChange(declineReasons.find(each => each === value))}
    />
  )
}

const labels = {
  covered_elsewhere: 'answer.covered_elsewhere',
  too_dear: 'answer.too_dear',
  not_travelling: 'answer.not_travelling',
  not_wanted: 'answer.not_wanted',
  other: 'answer.other',
} as const satisfies Record<DeclineReason, string>
