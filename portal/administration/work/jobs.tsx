import { useState } from 'react'
import { listJobs, retryJobs } from '#common/administration/work-calls.ts'
import type { Reply } from '#common/kit/call.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Drawer } from '#portal/kit/overlay/dialog.tsx'
import type { Column } from '#portal/kit/ui/table.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useList } from '../queries.ts'
import { StateFilter, UnitFilter } from '../filters.tsx'
import { Listing } from '../listing.tsx'
import { idIn, oneOf, pageIn, perPage, useLook } from '../list-params.ts'
import { Code, Facts, Raw } from '../record.tsx'
import { RetryAll } from './retry-all.tsx'
import { Retry } from './retry.tsx'

type Job = Reply<typeof listJobs>['jobs'][number]

const states = ['failed', 'waiting', 'running'] as const

/** Jobs that were given up, with what they said last; those that wait or run. */
export function Jobs() {
  const { words } = useWords()
  const { look } = useLook()
  const state = oneOf(states, look.state) ?? 'failed'
  const unit = idIn(look.unit)
  const list = useList(listJobs, { page: pageIn(look), perPage, state, ...(unit ? { businessUnitUuid: unit } : {}) })
  const [shown, setShown] = useState<Job>()
  return (
    <>
      <Listing<Job>
        {...list}
        caption={words('administration.jobs')}
        columns={useColumns()}
        rows={list.data?.jobs}
        keyOf={({ uuid }) => uuid}
        onOpen={setShown}
        empty={{ icon: 'check-circle', title: words('administration.no_jobs'), hint: words('administration.no_jobs_hint') }}
      >
        <UnitFilter />
        <StateFilter
          label={words('administration.state')}
          fallback="failed"
          options={[
            { value: 'failed', label: words('administration.job_failed') },
            { value: 'waiting', label: words('administration.waiting') },
            { value: 'running', label: words('administration.job_running') },
          ]}
        />
        {state === 'failed' && list.data && list.data.total > 0 && <RetryAll count={list.data.total} unit={unit} />}
      </Listing>
      {shown && <JobDrawer job={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function useColumns(): Column<Job>[] {
  const { words } = useWords()
  const { moment, number } = useFormat()
  return [
    { key: 'subscriber', head: words('administration.job'), cell: job => <Code inRow>{job.subscriber}</Code> },
    { key: 'unit', head: words('administration.unit'), hide: 'medium', cell: job => job.businessUnit.brandName },
    { key: 'createdAt', head: words('administration.moment'), cell: job => moment(job.createdAt) },
    { key: 'attempts', head: words('administration.attempts'), align: 'end', hide: 'narrow', cell: job => number(job.attempts) },
    { key: 'error', head: words('administration.last_error'), cell: job => job.lastError ?? '—' },
  ]
}

function JobDrawer({ job, onClose }: { job: Job; onClose: () => void }) {
  const { words } = useWords()
  const { moment, number } = useFormat()
  return (
    <Drawer
      open
      onClose={onClose}
      title={job.subscriber}
      actions={
        job.state === 'failed' && <Retry call={retryJobs} uuids={[job.uuid]} label={words('administration.retry')} onDone={onClose} />
      }
    >
      <Facts
        facts={[
          [words('administration.topic'), <Code key="topic">{job.topic}</Code>],
          [words('administration.unit'), job.businessUnit.brandName],
          [words('administration.attempts'), number(job.attempts)],
          [words('administration.moment'), moment(job.createdAt)],
          [words('administration.next_try'), job.state === 'waiting' ? moment(job.runAt) : null],
          [words('administration.finished'), job.finishedAt && moment(job.finishedAt)],
          [words('administration.last_error'), job.lastError],
        ]}
      />
      <Raw label={words('administration.audit_details')} value={job.payload} />
    </Drawer>
  )
}
