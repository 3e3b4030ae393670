import { useState } from 'react'
import { listJobs, listMails, overview, retryAllJobs, retryJobs, retryMails } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { oneOf } from '#portal/kit/list/list-params.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { key, reload, useParams, useRecord } from '../use-records.ts'
import { Code, Facts, Raw } from '../record.tsx'
import { StateList, useStateAndUnit } from '../state-list.tsx'
import { jobWords } from './job-words.ts'

/** Background work: emails and jobs, and which of them failed. */
export function WorkTab() {
  const { words } = useWords()
  const { params, switchTo } = useParams()
  const { data } = useRecord(overview, {})
  const kind = oneOf(['mails', 'jobs'] as const, params.work) ?? 'mails'
  return (
    <Tabs
      label={words('administration.work')}
      value={kind}
      onChange={work => switchTo({ tab: 'work', work })}
      tabs={[
        { id: 'mails', label: words('administration.mails'), ...(data?.mailsRefused ? { count: data.mailsRefused } : {}) },
        { id: 'jobs', label: words('administration.jobs'), ...(data?.jobsFailed ? { count: data.jobsFailed } : {}) },
      ]}
    >
      {kind === 'mails' ? <Mails /> : <Jobs />}
    </Tabs>
  )
}

type Mail = ResponseOf<typeof listMails>['mails'][number]

const mailStates = ['refused', 'queued', 'sent', 'withdrawn'] as const
const mailStateWords = {
  refused: 'administration.mail_refused',
  queued: 'administration.waiting',
  sent: 'administration.mail_sent',
  withdrawn: 'administration.mail_dropped',
} as const

/** Refused emails with the reason, and emails that are waiting, sent or dropped. */
function Mails() {
  const { words } = useWords()
  const { moment } = useFormat()
  const { state, request } = useStateAndUnit(mailStates)
  const list = useList(listMails, request, { key, rows: ({ mails }) => mails })
  const { rows } = list
  return (
    <StateList
      list={list}
      caption={words('administration.mails')}
      columns={useMailColumns()}
      states={mailStates.map(value => ({ value, label: words(mailStateWords[value]) }))}
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

function useMailColumns(): Column<Mail>[] {
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
          [words('administration.state'), words(mailStateWords[mail.state])],
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

type Job = ResponseOf<typeof listJobs>['jobs'][number]

const jobStates = ['failed', 'waiting', 'running'] as const
const jobStateWords = {
  failed: 'administration.job_failed',
  waiting: 'administration.waiting',
  running: 'administration.job_running',
} as const

/** Failed jobs with their last error, and jobs that are waiting or running. */
function Jobs() {
  const { words } = useWords()
  const { moment } = useFormat()
  const { state, unit, request } = useStateAndUnit(jobStates)
  const list = useList(listJobs, request, { key, rows: ({ jobs }) => jobs })
  return (
    <StateList
      list={list}
      caption={words('administration.jobs')}
      columns={useJobColumns()}
      states={jobStates.map(value => ({ value, label: words(jobStateWords[value]) }))}
      empty={{ icon: 'check-circle', title: words('administration.no_jobs'), hint: words('administration.no_jobs_hint') }}
      lines={job => ({
        title: jobWords(job.subscriber, words),
        end: '',
        detail: job.lastError ?? job.businessUnit.brandName,
        state: <span className="text-sm text-quiet">{moment(job.createdAt)}</span>,
      })}
      renderPanel={(job, panel) => <JobPanel job={job} panel={panel} />}
    >
      {state === 'failed' && list.info && list.info.total > 0 && <RetryAll count={list.info.total} unit={unit} />}
    </StateList>
  )
}

function useJobColumns(): Column<Job>[] {
  const { words } = useWords()
  const { moment, number } = useFormat()
  return [
    { key: 'subscriber', head: words('administration.job'), cell: job => jobWords(job.subscriber, words) },
    { key: 'unit', head: words('administration.unit'), hide: 64, cell: job => job.businessUnit.brandName },
    { key: 'createdAt', head: words('administration.moment'), cell: job => moment(job.createdAt) },
    { key: 'attempts', head: words('administration.attempts'), align: 'end', hide: 48, cell: job => number(job.attempts) },
    { key: 'error', head: words('administration.last_error'), cell: job => job.lastError ?? '—' },
  ]
}

function JobPanel({ job, panel }: { job: Job; panel: PanelOf }) {
  const { words } = useWords()
  const { moment, number } = useFormat()
  return (
    <SidePanel
      {...panel}
      title={jobWords(job.subscriber, words)}
      actions={
        job.state === 'failed' && <Retry call={retryJobs} uuids={[job.uuid]} label={words('administration.retry')} onDone={panel.onClose} />
      }
    >
      <Facts
        facts={[
          [words('administration.topic'), <Code key="topic">{`${job.topic} → ${job.subscriber}`}</Code>],
          [words('administration.unit'), job.businessUnit.brandName],
          [words('administration.attempts'), number(job.attempts)],
          [words('administration.moment'), moment(job.createdAt)],
          [words('administration.next_try'), job.state === 'waiting' ? moment(job.runAt) : null],
          [words('administration.finished'), job.finishedAt && moment(job.finishedAt)],
          [words('administration.last_error'), job.lastError],
        ]}
      />
      <Raw label={words('administration.audit_details')} value={job.payload} />
    </SidePanel>
  )
}

type RetryProps = {
  /** Retries jobs or emails. */
  call: typeof retryJobs | typeof retryMails
  uuids: readonly string[]
  label: string
  onDone?: () => void
  className?: string
}

/** Retries the records that still need it, now. Those that another user has retried since are skipped. */
function Retry({ call, uuids, label, onDone, className = '' }: RetryProps) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    try {
      const { retried } = await ask(call, { uuids: [...uuids] })
      await reload()
      showToast({ severity: 'success', summary: words('administration.retried', { count: retried }) })
      onDone?.()
    } catch (error) {
      alertError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look="quiet" icon="repeat" busy={busy} className={className} onClick={() => void send()}>
      {label}
    </Button>
  )
}

type RetryAllProps = {
  /** The number of failed jobs in the list, on all pages. */
  count: number
  /** The business unit by which the list is filtered. */
  unit: string | undefined
}

/** Retries all failed jobs after a confirmation: an outage of the mail server leaves thousands. */
function RetryAll({ count, unit }: RetryAllProps) {
  const { words } = useWords()
  async function retry() {
    let retried = 0
    const confirmed = await showAlert({
      mode: 'confirm',
      title: words('administration.retry_all_title'),
      description: words('administration.retry_all_hint', { count }),
      buttonTitle: words('administration.retry'),
      buttonBehavior: async () => {
        retried = (await ask(retryAllJobs, unit ? { businessUnitUuid: unit } : {})).retried
      },
    })
    if (!confirmed) return
    await reload()
    showToast({ severity: 'success', summary: words('administration.retried', { count: retried }) })
  }
  return (
    <Button look="quiet" icon="repeat" onClick={() => void retry()}>
      {words('administration.retry_all', { count })}
    </Button>
  )
}
