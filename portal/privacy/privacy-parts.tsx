import { lazy, Suspense } from 'react'
import { useParams } from '#portal/administration/use-records.ts'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { PersonSearch } from './person-search.tsx'

const parts = {
  people: PersonSearch,
  requests: lazy(() => import('./requests.tsx').then(({ Requests }) => ({ default: Requests }))),
  holds: lazy(() => import('./holds.tsx').then(({ Holds }) => ({ default: Holds }))),
  retention: lazy(() => import('./retention.tsx').then(({ Retention }) => ({ default: Retention }))),
  record: lazy(async () => {
    const [{ ProcessingRecord }] = await Promise.all([import('./processing-record.tsx'), loadMessages('record')])
    return { default: ProcessingRecord }
  }),
}

/** The requests of persons about their data, the retention, and the record of processing. */
export function PrivacyParts() {
  const { words } = useWords()
  const { params, switchTo } = useParams()
  const part = oneOf(['people', 'requests', 'holds', 'retention', 'record'] as const, params.part) ?? 'people'
  const Content = parts[part]
  return (
    <Tabs
      label={words('administration.privacy')}
      value={part}
      onChange={part => switchTo({ tab: 'privacy', part })}
      tabs={[
        { id: 'people', label: words('privacy.part_people') },
        { id: 'requests', label: words('privacy.part_requests') },
        { id: 'holds', label: words('privacy.part_holds') },
        { id: 'retention', label: words('privacy.part_retention') },
        { id: 'record', label: words('privacy.part_record') },
      ]}
    >
      <Suspense>
        <Content />
      </Suspense>
    </Tabs>
  )
}
