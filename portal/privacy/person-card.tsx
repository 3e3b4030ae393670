import { lazy, Suspense, useState } from 'react'
import { Facts } from '#portal/administration/record.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card, State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { AnswerDialog } from './answer-dialog.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { HoldDialog } from './hold-dialog.tsx'
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
