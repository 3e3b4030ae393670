import { overview } from '#common/administration/overview-calls.ts'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useOne } from '../queries.ts'
import { oneOf, useLook } from '../list-params.ts'
import { Jobs } from './jobs.tsx'
import { Mails } from './mails.tsx'

/** What the service does by itself, and what of it did not come off. */
export function WorkTab() {
  const { words } = useWords()
  const { look, turnTo } = useLook()
  const { data } = useOne(overview, {})
  const kind = oneOf(['mails', 'jobs'] as const, look.work) ?? 'mails'
  return (
    <Tabs
      label={words('administration.work')}
      value={kind}
      onChange={work => turnTo('work', { work })}
      tabs={[
        { id: 'mails', label: words('administration.mails'), ...(data?.mailsRefused ? { count: data.mailsRefused } : {}) },
        { id: 'jobs', label: words('administration.jobs'), ...(data?.jobsFailed ? { count: data.jobsFailed } : {}) },
      ]}
    >
      {kind === 'mails' ? <Mails /> : <Jobs />}
    </Tabs>
  )
}
