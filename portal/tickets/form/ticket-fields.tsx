import { visibleFields } from '#common/tickets/answers.ts'
import { longest } from '#common/tickets/ticket.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { BoundMoney } from '#portal/kit/form/bound-more.tsx'
import { BoundCheckbox, BoundCombobox, BoundDate, BoundSelect, BoundText, BoundTextArea } from '#portal/kit/form/bound.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import type { RulesForm as Rules } from '#portal/kit/form/use-rules-form.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import type { Form } from '../use-tickets.ts'
import { travellersOf } from './from-policy.ts'
import type { TicketForm } from './values.ts'

type Props = {
  form: Rules<TicketForm>
  type: Form
  policy: PolicyDetail | undefined
}

/** The fields of a ticket: incident or request, the own fields of its type, and contact. */
export function TicketFields({ form, type, policy }: Props) {
  const { words } = useWords()
  const today = todayInUnit()
  const isClaim = type.kind === 'claim'
  const visible = visibleFields(type.fields, form.watch('answers'))
  return (
    <>
      <Card title={words(isClaim ? 'tickets.incident' : 'tickets.request')}>
        <div className="grid gap-(--gap) sm:grid-cols-2">
          {isClaim && <BoundDate label={words('tickets.incident_date')} name="incidentDate" required kind="past" today={today} />}
          <BoundText
            label={words('tickets.subject')}
            name="subject"
            required
            maxLength={longest.subject}
            autoComplete="off"
            className={isClaim ? '' : 'sm:col-span-2'}
          />
          <BoundTextArea
            label={words('tickets.description')}
            hint={words(isClaim ? 'tickets.description_claim_hint' : 'tickets.description_hint')}
            name="description"
            required
            rows={5}
            maxLength={longest.description}
            className="sm:col-span-2"
          />
        </div>
      </Card>
      {visible.length > 0 && (
        <Card title={type.name}>
          <div className="grid gap-(--gap) sm:grid-cols-2">
            {visible.map(field => (
              <AnswerField key={`${type.uuid} ${field.name}`} field={field} travellers={policy ? travellersOf(policy) : []} />
            ))}
          </div>
        </Card>
      )}
      <Card title={words('tickets.contact')}>
        <div className="grid gap-(--gap) sm:grid-cols-2">
          <BoundText
            label={words('tickets.contact_email')}
            hint={words('tickets.contact_email_hint')}
            name="contactEmail"
            type="email"
            inputMode="email"
            required
            autoComplete="off"
          />
          <BoundText
            label={words('tickets.contact_phone')}
            name="contactPhone"
            type="tel"
            required={type.calls}
            maxLength={longest.contactPhone}
            autoComplete="off"
          />
        </div>
      </Card>
    </>
  )
}

type AnswerProps = {
  field: Form['fields'][number]
  /** The travellers of the policy, whom the field for the affected person suggests. */
  travellers: readonly string[]
}

/** One field of a ticket's own form, as the form's data describes it. */
function AnswerField({ field, travellers }: AnswerProps) {
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
