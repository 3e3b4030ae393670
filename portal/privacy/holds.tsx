import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { liftHold, listHolds } from '#common/privacy/calls.ts'
import { done, key, pagingOf, useParams } from '#portal/administration/use-records.ts'
import { ReasonDialog } from '#portal/administration/reason-dialog.tsx'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { useWords } from '#portal/kit/words.tsx'
import { placeName } from './person.ts'

type Hold = ResponseOf<typeof listHolds>['holds'][number]

/** The policies and tickets that are held, sorted by the end of the hold. */
export function Holds() {
  const { words } = useWords()
  const { date } = useFormat()
  const { params } = useParams()
  const [lifted, setLifted] = useState<Hold>()
  const what = (hold: Hold) => placeName(hold, words)
  const columns: Column<Hold>[] = [
    { key: 'what', head: words('privacy.column_what'), cell: what },
    { key: 'unit', head: words('administration.unit'), hide: 48, cell: ({ businessUnit }) => businessUnit.brandName },
    { key: 'until', head: words('privacy.hold_until'), cell: ({ until }) => date(until) },
    { key: 'reason', head: words('administration.reason'), cell: ({ reason }) => reason },
    { key: 'by', head: words('privacy.held_by'), hide: 48, cell: ({ by }) => by },
  ]
  return (
    <>
      <ListScreen
        list={useList(listHolds, pagingOf(params), { key, rows: ({ holds }) => holds })}
        caption={words('privacy.part_holds')}
        columns={columns}
        keyOf={({ uuid }) => uuid}
        onOpen={setLifted}
        empty={{ icon: 'check-circle', title: words('privacy.holds_none'), hint: words('privacy.holds_none_hint') }}
        lines={hold => ({ title: what(hold), end: date(hold.until), detail: hold.reason, state: null })}
        summary={({ count }) => words('administration.count', { count })}
        expected={4}
      />
      {lifted && (
        <LiftDialog uuid={lifted.uuid} what={what(lifted)} onDone={() => setLifted(undefined)} onClose={() => setLifted(undefined)} />
      )}
    </>
  )
}

type Props = { uuid: string; what: string; onDone: () => void; onClose: () => void }

/** Lifts the hold of a policy or ticket, with a reason. */
export function LiftDialog({ uuid, what, onDone, onClose }: Props) {
  const { words } = useWords()
  return (
    <ReasonDialog
      title={words('privacy.lift')}
      description={`${what}. ${words('privacy.lift_hint')}`}
      button={words('privacy.lift')}
      onSend={async reason => {
        await ask(liftHold, { uuid, reason })
        await done(words('privacy.lifted'), onDone)
      }}
      onClose={onClose}
    />
  )
}
