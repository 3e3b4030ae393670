import { visibleFields } from '#common/tickets/answers.ts'
import { longest } from '#common/tickets/ticket.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { BoundDate, BoundText, BoundTextArea } from '#portal/kit/form/bound.tsx'
import type { RulesForm as Rules } from '#portal/kit/form/use-rules-form.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import type { Form } from '../use-tickets.ts'
import { AnswerField } from './answer-field.tsx'
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
