import { useState } from 'react'
import { accountGateway } from '#common/changes/state.ts'
import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { readDate } from '#common/kit/dates.ts'
import { type PersonFieldsWhere, personFieldsWhere } from '#common/people/person.ts'
import { previewRectification, rectifyPerson } from '#common/privacy/calls.ts'
import { FormActions } from '#portal/administration/form-actions.tsx'
import { reload } from '#portal/administration/use-records.ts'
import { ReasonField } from '#portal/administration/reason-dialog.tsx'
import { ask } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { BoundDate, BoundText } from '#portal/kit/form/bound.tsx'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { AskedBy, askedIn, type Asking, askingProblems, newAsking, ReceivedOn } from './asking.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import { type Person, placeName } from './person.ts'

type Corrected = Exclude<PersonFieldsWhere<'corrected', true>, 'birthDate'>
const texts = personFieldsWhere('corrected', true).filter((field): field is Corrected => field !== 'birthDate')
type Facts = Record<Corrected, string>

const nothing = Object.fromEntries(texts.map(name => [name, ''])) as Facts // Safe: its names are those of the texts.

type Ask = Omit<RequestSentOf<typeof rectifyPerson>, 'expected'>
type Preview = { asked: Ask; outcome: ResponseOf<typeof previewRectification> }

/** Corrects facts of a person in every running policy. The effect on each policy and its money is shown before and after. */
export function RectifyDialog({ person, onDone, onClose }: { person: Person; onDone: () => void; onClose: () => void }) {
  const { words } = useWords()
  const { date } = useFormat()
  const { personKey, name, birthDate: born } = person
  const [preview, setPreview] = useState<Preview>()
  const [outcome, setOutcome] = useState<ResponseOf<typeof rectifyPerson>>()
  const form = useRulesForm<Asking & Facts & { birthDate: string }>({
    defaultValues: { ...newAsking(), ...nothing, birthDate: '' },
    rules: values => [
      ...(values.birthDate.trim() !== '' && !readDate(values.birthDate)
        ? [{ path: 'birthDate', rule: 'validDate' as const, key: 'validation.invalidDate' as const }]
        : []),
      ...(([...texts, 'birthDate'] as const).every(each => values[each].trim() === '')
        ? [{ path: 'name', rule: 'required' as const, key: 'privacy.rectify_nothing' as const }]
        : []),
      ...askingProblems(values),
    ],
    send: async values => {
      const day = readDate(values.birthDate)
      const typed = Object.fromEntries(texts.filter(each => values[each].trim() !== '').map(each => [each, values[each].trim()]))
      const fields = { ...typed, ...(day ? { birthDate: day } : {}) }
      const asked = { personKey, ...askedIn(values), fields }
      setPreview({ asked, outcome: await ask(previewRectification, { personKey, fields }) })
    },
    fieldOf: path => path.replace(/^fields\./, ''),
  })
  const head = { title: words('privacy.rectify'), description: name ?? words('privacy.unnamed') }
  if (outcome)
    return (
      <Dialog open onClose={onDone} {...head} actions={<Button onClick={onDone}>{words('ui.close')}</Button>}>
        <Corrections outcome={outcome} />
      </Dialog>
    )
  if (preview)
    return (
      <Confirm {...head} {...{ preview, onClose }} onBack={() => setPreview(undefined)} onPreview={setPreview} onOutcome={setOutcome} />
    )
  const now = (fact: keyof Facts) => {
    const value = fact === 'docNumber' ? person.docNumber : person.facts?.[fact]
    return value ? { hint: words('privacy.fact_now', { value }) } : {}
  }
  return (
    <Dialog
      open
      onClose={onClose}
      busy={form.busy}
      {...head}
      actions={<FormActions form={form} label={words('privacy.rectify_preview')} onCancel={onClose} />}
    >
      <p className="text-quiet">{words('privacy.rectify_hint')}</p>
      <RulesForm form={form} className="grid gap-(--gap)">
        <div className="grid items-start gap-(--gap) sm:grid-cols-2">
          {texts.map(each => (
            <BoundText
              key={each}
              name={each}
              label={words('privacy.fact', { fact: each })}
              {...now(each)}
              maxLength={254}
              optional={false}
            />
          ))}
          <BoundDate
            name="birthDate"
            label={words('privacy.birth_date')}
            {...(born ? { hint: words('privacy.fact_now', { value: date(born) }) } : {})}
            optional={false}
          />
          <AskedBy />
          <ReceivedOn receivedOn={form.watch('receivedOn')} />
        </div>
        <ReasonField />
      </RulesForm>
    </Dialog>
  )
}

type ConfirmProps = {
  title: string
  description: string
  preview: Preview
  onBack: () => void
  onClose: () => void
  onPreview: (preview: Preview) => void
  onOutcome: (outcome: ResponseOf<typeof rectifyPerson>) => void
}

function Confirm({ preview: { asked, outcome }, onBack, onClose, onPreview, onOutcome, ...head }: ConfirmProps) {
  const { words } = useWords()
  const form = useRulesForm({
    defaultValues: {},
    rules: () => [],
    send: async () => {
      const { versions, money } = outcome
      try {
        const done = await ask(rectifyPerson, { ...asked, expected: { versions, money } })
        await reload()
        onOutcome(done)
      } catch (error) {
        // The new preview replaces the previous one, and the message asks to check it.
        if (isRefusedAs(error, 'privacy.preview_changed'))
          onPreview({ asked, outcome: await ask(previewRectification, { personKey: asked.personKey, fields: asked.fields }) })
        throw error
      }
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      busy={form.busy}
      {...head}
      actions={<FormActions form={form} label={words('privacy.rectify_send')} cancel={words('privacy.rectify_back')} onCancel={onBack} />}
    >
      <p className="text-quiet">{words('privacy.rectify_check')}</p>
      <RulesForm form={form} className="grid gap-(--gap)">
        <Corrections outcome={outcome} />
      </RulesForm>
    </Dialog>
  )
}

/** The policies with the effect on each and on its money. */
function Corrections({ outcome }: { outcome: Pick<Preview['outcome'], 'items' | 'mails' | 'money'> }) {
  const { words } = useWords()
  return (
    <>
      <OutcomeTable outcome={outcome} caption={words('privacy.column_outcome')} />
      <MovedMoney outcome={outcome} />
    </>
  )
}

type MoneyOutcome = Pick<ResponseOf<typeof previewRectification>, 'items' | 'money'>

/** Shows how a correction changes the money of each policy: the difference, the routes of a refund, and the commission. */
function MovedMoney({ outcome: { items, money } }: { outcome: MoneyOutcome }) {
  const { words } = useWords()
  const { money: shown } = useFormat()
  return money.map(({ uuid, currency, difference, refund, commission, routes, withoutWay }) => {
    const item = items.find(each => each.uuid === uuid)
    const amount = (value: number) => ({ amount: shown(value, currency) })
    return (
      <section key={uuid} className="grid gap-1 text-sm">
        <h3 className="font-semibold">{item && placeName(item, words)}</h3>
        <ul className="grid gap-1 text-quiet">
          <li>
            {words('privacy.moves', { way: difference < 0 ? 'less' : 'more', ...amount(Math.abs(difference)) })}
            {difference < 0 && refund === 0 && ` ${words('privacy.moves_kept')}`}
          </li>
          {routes.map(({ gateway, paymentUuid, amount: part }) => (
            <li key={paymentUuid}>
              {words('privacy.moves_back', { way: gateway === accountGateway ? 'account' : 'card', ...amount(part) })}
            </li>
          ))}
          {withoutWay > 0 && <li>{words('privacy.moves_review', amount(withoutWay))}</li>}
          {commission !== 0 && <li>{words('privacy.moves_commission', amount(commission))}</li>}
        </ul>
      </section>
    )
  })
}
