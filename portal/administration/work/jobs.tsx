import { listJobs, retryJobs } from '#common/administration/work-calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import type { Column } from '#portal/kit/list/table.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { useWords } from '#portal/kit/words.tsx'
import { key } from '../queries.ts'
import { Code, Facts, Raw } from '../record.tsx'
import { StateList, useStateAndUnit } from '../state-list.tsx'
import { jobWords } from './job-words.ts'
import { RetryAll } from './retry-all.tsx'
import { Retry } from './retry.tsx'

type Job = ResponseOf<typeof listJobs>['jobs'][number]

const states = ['failed', 'waiting', 'running'] as const
const stateWords = {
  failed: 'administration.job_failed',
  waiting: 'administration.waiting',
  running: 'administration.job_running',
} as const

/** Failed jobs with their last error, and jobs that are waiting or running. */
export function Jobs() {
  const { words } = useWords()
  const { moment } = useFormat()
  const { state, unit, request } = useStateAndUnit(states)
  const list = useList(listJobs, request, { key, rows: ({ jobs }) => jobs })
  return (
    <StateList
      list={list}
      caption={words('administration.jobs')}
      columns={useColumns()}
      states={states.map(value => ({ value, label: words(stateWords[value]) }))}
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

function useColumns(): Column<Job>[] {
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
