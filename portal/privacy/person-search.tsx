import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { findPersons } from '#common/privacy/calls.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundDate, BoundText } from '#portal/kit/form/bound.tsx'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout, Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { PersonCard } from './person-card.tsx'

type Values = { name: string; docNumber: string; email: string; birthDate: string }
type Found = ResponseOf<typeof findPersons>

const nothing: Values = { name: '', docNumber: '', email: '', birthDate: '' }
const given = (values: Values) => Object.values(values).filter(value => value.trim() !== '')

const problems = (values: Values): Problem[] => [
  ...(given(values).length < 2 ? [{ path: 'name', rule: 'required' as const, key: 'privacy.two_facts' as const }] : []),
  ...(values.birthDate.trim() !== '' && !readDate(values.birthDate)
    ? [{ path: 'birthDate', rule: 'date' as const, key: 'validation.invalidDate' as const }]
    : []),
]

/** Finds a person by at least two facts, which are never in a URL. */
export function PersonSearch() {
  const { words } = useWords()
  const [found, setFound] = useState<Found>()
  const form = useRulesForm<Values>({
    defaultValues: nothing,
    rules: problems,
    send: async ({ birthDate, ...texts }) => {
      const facts = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))
      const day = readDate(birthDate)
      setFound(await ask(findPersons, { ...facts, ...(day ? { birthDate: day } : {}) }))
    },
  })
  return (
    <div className="grid gap-(--gap)">
      <Card>
        <p className="text-quiet">{words('privacy.intro')}</p>
        <RulesForm form={form} className="grid items-start gap-(--gap) sm:grid-cols-2 xl:grid-cols-4">
          <BoundText name="name" label={words('privacy.name')} maxLength={254} optional={false} />
          <BoundText name="docNumber" label={words('privacy.document')} maxLength={254} optional={false} />
          <BoundText name="email" label={words('privacy.email')} maxLength={254} optional={false} />
          <BoundDate name="birthDate" kind="birth" today={todayInUnit()} label={words('privacy.birth_date')} optional={false} />
          <div>
            <Button type="submit" busy={form.busy}>
              {words('privacy.find')}
            </Button>
          </div>
        </RulesForm>
      </Card>
      <div role="status" className="grid gap-(--gap) empty:hidden">
        {found?.persons.length === 0 && (
          <Callout tone="info" title={words('privacy.none')}>
            {words('privacy.none_hint')}
          </Callout>
        )}
        {found?.persons.map(person => (
          <PersonCard key={person.personKey} person={person} onChanged={() => form.submit()} />
        ))}
        {found?.more && <Callout tone="warning">{words('privacy.more')}</Callout>}
      </div>
    </div>
  )
}
