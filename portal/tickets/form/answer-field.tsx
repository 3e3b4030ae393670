import { todayInUnit } from '#portal/business-unit/today.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { BoundCheckbox, BoundCombobox, BoundDate, BoundSelect, BoundText, BoundTextArea } from '#portal/kit/form/bound.tsx'
import { BoundMoney } from '#portal/kit/form/bound-more.tsx'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import type { Form } from '../use-tickets.ts'

type Props = {
  field: Form['fields'][number]
  /** The travellers of the policy, whom the field for the affected person suggests. */
  travellers: readonly string[]
}

/** One field of a ticket's own form, as the form's data describes it. */
export function AnswerField({ field, travellers }: Props) {
  const { configuration } = useUnit()
  const { kind, label, hint, required, maxLength, options } = field
  const common = { name: `answers.${field.name}`, label, required, ...(hint ? { hint } : {}) }
  const limit = maxLength ?? undefined
  switch (kind) {
    case 'text':
      return field.name === 'insuredPerson' ? (
        <Bound<string> name={common.name} label={label}>
          {({ value, onChange, ...bound }) => (
            <Combobox
              {...common}
              {...bound}
              options={travellers.map(name => ({ value: name, label: name }))}
              value={value}
              onChange={name => onChange(name ?? '')}
              onText={onChange}
              narrows={travellers.length > 0}
              optional={!required}
            />
          )}
        </Bound>
      ) : (
        <BoundText {...common} maxLength={limit} autoComplete="off" />
      )
    case 'long':
      return <BoundTextArea {...common} maxLength={limit} className="sm:col-span-2" rows={4} />
    case 'choice':
      return <BoundSelect {...common} placeholder options={options} />
    case 'date':
      return <BoundDate {...common} today={todayInUnit()} kind={field.notAfterToday ? 'past' : undefined} />
    case 'amount':
      return <BoundMoney {...common} currency={configuration.currency} />
    case 'country':
      return (
        <BoundCombobox<number>
          {...common}
          options={configuration.countriesList.map(({ id, name, alpha2 }) => ({ value: id, label: name, detail: alpha2 }))}
        />
      )
    case 'flag':
      return <BoundCheckbox {...common} className="sm:col-span-2" />
    case 'account':
      return <BoundText {...common} maxLength={42} autoComplete="off" spellCheck={false} placeholder="ES00 0000 0000 0000 0000 0000" />
  }
}
