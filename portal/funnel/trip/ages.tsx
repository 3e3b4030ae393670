import { type ReactNode, useState } from 'react'
import { useUnit } from '#portal/business-unit/settings.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import { BoundDate } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { TripForm } from '../store.ts'

const maxRows = 20

type Props = { form: RulesForm<TripForm>; travelers: NumberValue; today: string; hint: (name: string) => ReactNode }

/** Optional birth dates. They make the price exact, and step 2 shares them. */
export function Ages({ form, travelers, today, hint }: Props) {
  const { words } = useWords()
  const { earliestBirthDate } = useUnit().configuration
  const [open, setOpen] = useState(false)
  // The fields open when another step or a pasted text fills them, and stay open when they are emptied.
  if (!open && form.getValues('birthDates').some(row => row.date)) setOpen(true)
  const rows = typeof travelers === 'number' ? Math.min(Math.max(travelers, 0), maxRows) : 0
  if (rows === 0) return null
  if (!open)
    return (
      <Button look="plain" icon="plus" className="justify-self-start text-left whitespace-normal!" onClick={() => setOpen(true)}>
        {words('funnel.ages')}
      </Button>
    )
  return (
    <fieldset className="grid gap-2 border-t border-line pt-(--gap)">
      <legend className="sr-only">{words('funnel.ages')}</legend>
      <p className="text-sm text-quiet">{words('funnel.ages_hint')}</p>
      <div className="grid gap-(--gap) sm:grid-cols-2 xl:grid-cols-3">
        {Array.from({ length: rows }, (_, index) => (
          <BoundDate
            key={index}
            label={words('funnel.age_of', { place: index + 1 })}
            name={`birthDates.${index}.date`}
            today={today}
            min={earliestBirthDate}
            max={today}
            hint={hint(`birthDates.${index}.date`)}
          />
        ))}
      </div>
    </fieldset>
  )
}
