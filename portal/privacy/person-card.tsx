import { lazy, Suspense, useState } from 'react'
import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { exportPerson, holdData } from '#common/privacy/calls.ts'
import { holdProblems } from '#common/privacy/days.ts'
import { FormDialog } from '#portal/administration/form-actions.tsx'
import { ReasonField, reasonProblems } from '#portal/administration/reason-dialog.tsx'
import { Facts } from '#portal/administration/record.tsx'
import { done } from '#portal/administration/use-records.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundDate, BoundSelect, BoundText } from '#portal/kit/form/bound.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card, State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { AnswerDialog } from './answer-dialog.tsx'
import { AskedBy, askedIn, type Asking, askingProblems, newAsking, ReceivedOn } from './asking.tsx'
import { LiftDialog } from './holds.tsx'
import { type Person, type Place, placeName } from './person.ts'
import { RectifyDialog } from './rectify-dialog.tsx'

const BlockedDialog = lazy(() => import('./blocked-dialog.tsx').then(module => ({ default: module.BlockedDialog })))

type Opened = { what: 'answer' | 'copy' | 'rectify' } | { what: 'hold' | 'lift' | 'blocked'; place: Place }

const answers = ['copy', 'rectify', 'answer'] as const
const buttons = { copy: 'privacy.copy_ask', rectify: 'privacy.rectify', answer: 'privacy.answer' } as const

/** A person in one agency: the facts, all records about them, and the ways to answer a request. */
export function PersonCard({ person, onChanged }: { person: Person; onChanged: () => void }) {
  const { words } = useWords()
  const { date } = useFormat()
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const change = () => {
    close()
    onChanged()
  }
  return (
    <Card
      title={person.name ?? words('privacy.unnamed')}
      actions={
        <div className="flex flex-wrap gap-2">
          {answers.map(what => (
            <Button key={what} look="quiet" onClick={() => setOpened({ what })}>
              {words(buttons[what])}
            </Button>
          ))}
        </div>
      }
    >
      <Facts
        facts={[
          [words('administration.unit'), person.businessUnit.brandName],
          [words('privacy.birth_date'), person.birthDate && date(person.birthDate)],
          [words('privacy.document'), person.docNumber],
          [words('privacy.email'), person.emails.join(', ')],
        ]}
      />
      <Table caption={words('privacy.column_what')} columns={useColumns(setOpened)} rows={person.where} keyOf={({ uuid }) => uuid} />
      {person.mails > 0 && <p className="text-sm text-quiet">{words('privacy.mails', { count: person.mails })}</p>}
      {opened?.what === 'answer' && <AnswerDialog person={person} onDone={change} onClose={close} />}
      {opened?.what === 'copy' && <CopyDialog person={person} onClose={close} />}
      {opened?.what === 'rectify' && <RectifyDialog person={person} onDone={change} onClose={close} />}
      {opened?.what === 'hold' && <HoldDialog place={opened.place} onDone={change} onClose={close} />}
      {opened?.what === 'lift' && opened.place.hold && (
        <LiftDialog uuid={opened.place.hold.uuid} what={placeName(opened.place, words)} onDone={change} onClose={close} />
      )}
      {opened?.what === 'blocked' && (
        <Suspense>
          <BlockedDialog place={opened.place} onClose={close} />
        </Suspense>
      )}
    </Card>
  )
}

function useColumns(open: (opened: Opened) => void): Column<Place>[] {
  const { words } = useWords()
  const { date } = useFormat()
  return [
    { key: 'what', head: words('privacy.column_what'), cell: place => placeName(place, words) },
    { key: 'until', head: words('privacy.hold_until'), cell: ({ until }) => (until ? date(until) : '—') },
    { key: 'erased', head: words('privacy.column_erased'), cell: ({ erasedOn }) => (erasedOn ? date(erasedOn) : '—') },
    {
      key: 'state',
      head: words('privacy.column_state'),
      cell: ({ blocked, hold }) =>
        hold ? (
          <State tone="warning">{words('privacy.held_until', { date: date(hold.until) })}</State>
        ) : (
          <State tone={blocked ? 'over' : 'neutral'}>{words(blocked ? 'privacy.is_blocked' : 'privacy.in_use')}</State>
        ),
    },
    {
      key: 'actions',
      head: words('privacy.actions'),
      align: 'end',
      cell: place => {
        if (place.kind === 'budget') return null
        const what = placeAction(place)
        return (
          <Button look="quiet" onClick={() => open({ what, place })}>
            {words(actionWords[what])}
          </Button>
        )
      },
    },
  ]
}

const actionWords = { blocked: 'privacy.open', lift: 'privacy.lift', hold: 'privacy.hold' } as const

function placeAction({ blocked, hold }: Place): keyof typeof actionWords {
  if (blocked) return 'blocked'
  return hold ? 'lift' : 'hold'
}

/**
 * Has a copy of the person's data made. Its link is sent to one of their addresses; for a person in blocked data the address is typed, and compared.
 */
function CopyDialog({ person: { personKey, name, emails }, onClose }: { person: Person; onClose: () => void }) {
  const { words } = useWords()
  const form = useRulesForm<Asking & { email: string }>({
    defaultValues: { ...newAsking(), email: emails[0] ?? '' },
    rules: values => [
      ...(values.email.trim() === '' ? [{ path: 'email', rule: 'required' as const, key: 'privacy.email_unknown' as const }] : []),
      ...askingProblems(values),
    ],
    send: async values => {
      await ask(exportPerson, { personKey, ...askedIn(values), email: values.email.trim() })
      await done(words('privacy.copy_asked'), onClose)
    },
  })
  return (
    <FormDialog
      form={form}
      title={words('privacy.copy_ask')}
      description={name ?? words('privacy.unnamed')}
      button={words('privacy.copy_send')}
      onClose={onClose}
    >
      <p className="text-quiet">{words('privacy.copy_hint')}</p>
      {emails.length > 0 ? (
        <BoundSelect name="email" label={words('privacy.email')} options={emails.map(value => ({ value, label: value }))} />
      ) : (
        <BoundText name="email" label={words('privacy.email')} type="email" maxLength={254} required />
      )}
      <AskedBy />
      <ReceivedOn receivedOn={form.watch('receivedOn')} />
      <ReasonField />
    </FormDialog>
  )
}

type Values = { until: string; reason: string }

const problems = ({ until, reason }: Values): Problem[] => [
  ...(until === ''
    ? [{ path: 'until', rule: 'required', key: 'validation.required' }]
    : holdProblems(readDate(until) ?? '', todayInUnit())),
  ...reasonProblems(reason),
]

/** Holds a policy or ticket for a lawsuit, until a day. */
function HoldDialog({ place, onDone, onClose }: { place: Place; onDone: () => void; onClose: () => void }) {
  const { words } = useWords()
  const { kind, uuid } = place
  const form = useRulesForm<Values>({
    defaultValues: { until: '', reason: '' },
    rules: problems,
    send: async ({ until, reason }) => {
      if (kind === 'budget') return
      await ask(holdData, { kind, uuid, until: readDate(until) ?? '', reason: reason.trim() })
      await done(words('privacy.held'), onDone)
    },
  })
  return (
    <FormDialog
      form={form}
      title={placeName(place, words)}
      description={words('privacy.hold_hint')}
      button={words('privacy.hold')}
      onClose={onClose}
    >
      <BoundDate name="until" label={words('privacy.hold_until')} min={todayInUnit()} required />
      <ReasonField />
    </FormDialog>
  )
}
