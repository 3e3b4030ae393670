import { BoundSelect } from '#portal/kit/form/bound.tsx'
import { useWords } from '#portal/kit/words.tsx'

const askers = ['person', 'guardian', 'representative'] as const

/** The values of a request that every answer records: who asks, and why it is done. */
export type Asking = { askedBy: (typeof askers)[number]; reason: string }

export const asking: Asking = { askedBy: 'person', reason: '' }

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
