import { listMails, retryMails } from '#common/administration/work-calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import type { Column } from '#portal/kit/list/table.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { useWords } from '#portal/kit/words.tsx'
import { key } from '../queries.ts'
import { Facts } from '../record.tsx'
import { StateList, useStateAndUnit } from '../state-list.tsx'
import { Retry } from './retry.tsx'

type Mail = ResponseOf<typeof listMails>['mails'][number]

const states = ['refused', 'queued', 'sent', 'withdrawn'] as const
const stateWords = {
  refused: 'administration.mail_refused',
  queued: 'administration.waiting',
  sent: 'administration.mail_sent',
  withdrawn: 'administration.mail_dropped',
} as const

/** Refused emails with the reason, and emails that are waiting, sent or dropped. */
export function Mails() {
  const { words } = useWords()
  const { moment } = useFormat()
  const { state, request } = useStateAndUnit(states)
  const list = useList(listMails, request, { key, rows: ({ mails }) => mails })
  const { rows } = list
  return (
    <StateList
      list={list}
      caption={words('administration.mails')}
      columns={useColumns()}
      states={states.map(value => ({ value, label: words(stateWords[value]) }))}
      empty={{ icon: 'mail', title: words('administration.no_mails'), hint: words('administration.no_mails_hint') }}
      lines={mail => ({
        title: mail.recipientAddress,
        end: '',
        detail: mail.subject ?? words('administration.mail_kind', { template: mail.template }),
        state: <span className="text-sm text-quiet">{moment(mail.at)}</span>,
      })}
      renderPanel={(mail, panel) => <MailPanel mail={mail} panel={panel} />}
    >
      {state === 'refused' && rows && rows.length > 0 && (
        <Retry call={retryMails} uuids={rows.map(({ uuid }) => uuid)} label={words('administration.retry_shown', { count: rows.length })} />
      )}
    </StateList>
  )
}

function useColumns(): Column<Mail>[] {
  const { words } = useWords()
  const { moment } = useFormat()
  return [
    { key: 'to', head: words('administration.mail_to'), cell: mail => mail.recipientAddress },
    {
      key: 'subject',
      head: words('administration.mail_subject'),
      cell: mail => mail.subject ?? words('administration.mail_kind', { template: mail.template }),
    },
    { key: 'unit', head: words('administration.unit'), hide: 64, cell: mail => mail.businessUnit.brandName },
    { key: 'at', head: words('administration.moment'), hide: 48, cell: mail => moment(mail.at) },
    { key: 'reason', head: words('administration.reason'), cell: mail => mail.reason ?? '—' },
  ]
}

function MailPanel({ mail, panel }: { mail: Mail; panel: PanelOf }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const kind = words('administration.mail_kind', { template: mail.template })
  return (
    <SidePanel
      {...panel}
      title={mail.subject ?? kind}
      actions={
        mail.state === 'refused' && (
          <Retry call={retryMails} uuids={[mail.uuid]} label={words('administration.retry')} onDone={panel.onClose} />
        )
      }
    >
      <Facts
        facts={[
          [words('administration.state'), words(stateWords[mail.state])],
          [words('administration.mail_to'), `${mail.recipientName} · ${mail.recipientAddress}`],
          [words('administration.unit'), mail.businessUnit.brandName],
          [words('administration.mail_template'), kind],
          [words('administration.moment'), moment(mail.at)],
          [words('administration.mail_attachments'), mail.attachments || null],
          [words('administration.finished'), mail.finishedAt && moment(mail.finishedAt)],
          [words('administration.reason'), mail.reason],
        ]}
      />
    </SidePanel>
  )
}
