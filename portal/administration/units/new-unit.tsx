import { createUnit } from '#common/administration/calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'
import { NewRecord } from '../form-actions.tsx'
import { reload } from '../use-records.ts'
import { UnitFields } from './unit-fields.tsx'
import { factsIn, freshValues, hasSecondLastNames, unitFormProblems, type UnitValues } from './unit-values.ts'

/** The form for a new unit. As a unit sells nothing without products, its offer opens next. */
export function NewUnit({ onCreated, onClose }: { onCreated: (uuid: string) => void; onClose: () => void }) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const { locale, country, timeZone, currency } = configuration
  const form = useRulesForm<UnitValues>({
    defaultValues: freshValues(locale, country, timeZone, currency),
    rules: unitFormProblems,
    send: async values => {
      const created = await ask(createUnit, { key: values.key ?? '', ...factsIn(values) })
      await reload()
      showToast({ severity: 'success', summary: words('administration.unit_made', { name: values.brandName }) })
      onCreated(created.uuid)
    },
  })
  return (
    <NewRecord
      form={form}
      onClose={onClose}
      title={words('administration.new_unit')}
      description={words('administration.new_unit_hint')}
      button={words('administration.create')}
    >
      <BoundText
        name="key"
        label={words('administration.key')}
        hint={words('administration.key_hint')}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <UnitFields onCountry={country => form.setValue('showSecondLastName', hasSecondLastNames(country))} />
    </NewRecord>
  )
}
