import { overview } from '#common/administration/overview-calls.ts'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useRecord } from '../queries.ts'
import { useParams } from '../list-params.ts'
import { Jobs } from './jobs.tsx'
import { Mails } from './mails.tsx'

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
