import { ageOn, readDate } from '#common/kit/dates.ts'
import { readAges } from '#common/kit/typed/ages.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { PersonNames } from '../people-form.ts'
import { useFunnel } from '../store.ts'

type Props = {
  names: PersonNames
  /** The traveller's index, from 0; undefined for a policyholder who does not travel. */
  traveller: number | undefined
}

/** A birth date, with a note if the age differs from the one in step 1, which priced the trip. */
export function BirthDate({ names, traveller }: Props) {
  const { words } = useWords()
  const { earliestBirthDate } = useUnit().configuration
  const startDate = useFunnel(({ trip }) => readDate(trip?.startDate))
  const given = useFunnel(({ trip }) => (traveller === undefined ? undefined : readAges(trip?.ages ?? '')?.[traveller]))
  const label = words('funnel.birthDate')
  function differenceFrom(birthDate: string): string | undefined {
    const born = readDate(birthDate)
    const age = startDate && born ? ageOn(born, startDate) : undefined
    return age === undefined || typeof given !== 'number' || age === given ? undefined : words('funnel.age_differs', { age, given })
  }
  return (
    <Bound<string> empty="" name={names.birthDate} label={label} also={[names.documentNumber]}>
      {bound => (
        <DateField
          {...bound}
          label={label}
          required
          kind="birth"
          today={todayInUnit()}
          min={earliestBirthDate}
          hint={differenceFrom(bound.value)}
        />
      )}
    </Bound>
  )
}
