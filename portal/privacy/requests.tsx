import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { closePersonRequest, extendPersonRequest, listPersonRequests, personLetter } from '#common/privacy/calls.ts'
import { FormDialog } from '#portal/administration/form-actions.tsx'
import { done, key } from '#portal/administration/use-records.ts'
import { ReasonDialog, ReasonField, reasonProblems } from '#portal/administration/reason-dialog.tsx'
import { Facts } from '#portal/administration/record.tsx'
import { StateList, useStateAndUnit } from '#portal/administration/state-list.tsx'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { useDownload } from '#portal/kit/file/use-download.ts'
import { BoundSelect } from '#portal/kit/form/bound.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { OutcomeTable } from './outcome-table.tsx'

type Request = ResponseOf<typeof listPersonRequests>['requests'][number]

const states = ['all', 'open', 'done'] as const
const stateWords = { all: 'privacy.state_all', open: 'privacy.state_open', done: 'privacy.state_done' } as const

const isPast = (dueOn: string): boolean => dueOn < todayInUnit()

/** The requests of persons; the open ones come first, sorted by the day on which the answer is due. */
export function Requests() {
  const { words } = useWords()
  const { date, moment } = useFormat()
  const { request } = useStateAndUnit(states)
  const kindOf = ({ kind }: Request) => words('privacy.kind', { kind })
  const columns: Column<Request>[] = [
    { key: 'kind', head: words('privacy.kind_label'), cell: kindOf },
    { key: 'about', head: words('privacy.about'), cell: referenceOf },
    { key: 'unit', head: words('administration.unit'), hide: 48, cell: each => each.businessUnit.brandName },
    { key: 'received', head: words('privacy.received_on'), cell: ({ receivedOn }) => date(receivedOn) },
    { key: 'due', head: words('privacy.due_on'), cell: dueCell },
    { key: 'done', head: words('privacy.done_at'), cell: ({ doneAt }) => (doneAt ? moment(doneAt) : '—') },
  ]
  return (
    <StateList
      list={useList(listPersonRequests, request, { key, rows: ({ requests }) => requests })}
      caption={words('privacy.part_requests')}
      columns={columns}
      states={states.map(value => ({ value, label: words(stateWords[value]) }))}
      empty={{ icon: 'check-circle', title: words('privacy.requests_none'), hint: words('privacy.requests_none_hint') }}
      lines={each => ({
        title: `${kindOf(each)} · ${referenceOf(each)}`,
        end: dueCell(each),
        detail: `${date(each.receivedOn)} · ${each.businessUnit.brandName}`,
        state: words('privacy.request_state', { state: each.doneAt ? 'done' : 'open' }),
      })}
      renderPanel={(each, panel) => <RequestPanel key={each.uuid} request={each} panel={panel} />}
    />
  )
}

function RequestPanel({ request, panel }: { request: Request; panel: PanelOf }) {
  const { words } = useWords()
  const { date, moment } = useFormat()
  const [isExtending, setIsExtending] = useState(false)
  const [isClosing, setIsClosing] = useState(false)
  const mayExtend = request.doneAt === null && request.extension === null
  return (
    <SidePanel
      {...panel}
      title={words('privacy.kind', { kind: request.kind })}
      actions={
        <>
          {request.letter && <LetterButton uuid={request.uuid} />}
          {mayExtend && <Button onClick={() => setIsExtending(true)}>{words('privacy.extend')}</Button>}
          {request.doneAt === null && <Button onClick={() => setIsClosing(true)}>{words('privacy.close')}</Button>}
        </>
      }
    >
      <Facts
        facts={[
          [words('administration.unit'), request.businessUnit.brandName],
          [words('privacy.asked_by'), words('privacy.asker', { by: request.askedBy })],
          [words('administration.reason'), request.reason],
          [words('privacy.received_on'), date(request.receivedOn)],
          [words('privacy.recorded_at'), moment(request.at)],
          [words('privacy.due_on'), dueCell(request)],
          [words('privacy.extension'), request.extension],
          [words('privacy.done_at'), request.doneAt && moment(request.doneAt)],
          [words('privacy.closing'), request.closing],
          [words('privacy.copy_until'), request.copy && !request.copy.spentAt && moment(request.copy.expiresAt)],
          [words('privacy.copy_opened'), request.copy?.spentAt && moment(request.copy.spentAt)],
        ]}
      />
      {request.outcome && <OutcomeTable outcome={request.outcome} caption={words('privacy.column_outcome')} />}
      {isExtending && <ExtendDialog request={request} onClose={() => setIsExtending(false)} />}
      {isClosing && (
        <ReasonDialog
          title={words('privacy.close')}
          description={words('privacy.close_hint')}
          button={words('privacy.close')}
          onSend={async reason => {
            await ask(closePersonRequest, { uuid: request.uuid, reason })
            await done(words('privacy.closed'), () => setIsClosing(false))
          }}
          onClose={() => setIsClosing(false)}
        />
      )}
    </SidePanel>
  )
}

/** The day for the answer, highlighted if it has passed without one. */
function Due({ request: { dueOn, doneAt } }: { request: Request }) {
  const { words } = useWords()
  const { date } = useFormat()
  if (doneAt !== null || !isPast(dueOn)) return date(dueOn)
  return <State tone="danger">{words('privacy.past_due', { date: date(dueOn) })}</State>
}

const dueCell = (request: Request) => <Due request={request} />

/** Returns a request's reference, as it has no name: its policies and tickets, or the end of its id, which is in its letter. */
function referenceOf({ uuid, outcome }: Request): string {
  const [first, ...rest] = new Set(outcome?.items.flatMap(({ number }) => number ?? []))
  if (first === undefined) return `…${uuid.slice(-6)}`
  return rest.length > 0 ? `${first} +${rest.length}` : first
}

function LetterButton({ uuid }: { uuid: string }) {
  const { words } = useWords()
  const { busy, download } = useDownload()
  return (
    <Button look="quiet" icon="download" busy={busy !== undefined} onClick={() => void download(personLetter, { uuid })}>
      {words('privacy.letter')}
    </Button>
  )
}

function ExtendDialog({ request: { uuid, dueOn }, onClose }: { request: Request; onClose: () => void }) {
  const { words } = useWords()
  const form = useRulesForm({
    defaultValues: { months: '2', reason: '' },
    rules: ({ reason }) => [
      ...(isPast(dueOn) ? [{ path: 'months', rule: 'past' as const, key: 'privacy.extend_late' as const }] : []),
      ...reasonProblems(reason),
    ],
    send: async ({ months, reason }) => {
      await ask(extendPersonRequest, { uuid, months: Number(months), reason: reason.trim() })
      await done(words('privacy.extended'), onClose)
    },
  })
  return (
    <FormDialog
      form={form}
      title={words('privacy.extend')}
      description={words('privacy.extend_hint')}
      button={words('privacy.extend')}
      onClose={onClose}
    >
      <BoundSelect
        name="months"
        label={words('privacy.by_months')}
        options={[1, 2].map(months => ({ value: String(months), label: words('privacy.months', { months }) }))}
      />
      <ReasonField />
    </FormDialog>
  )
}
