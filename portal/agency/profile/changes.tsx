import { useQuery } from '@tanstack/react-query'
import { agencyChanges } from '#common/agency/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { useFormat } from '#portal/kit/format.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { labelOf, displayValue } from './profile.ts'

type Change = ResponseOf<typeof agencyChanges>['changes'][number]

/** The history of the agency's profile, newest first: users, times, and values before and after. */
export function Changes() {
  const { words } = useWords()
  const { moment } = useFormat()
  const { data, error, refetch } = useQuery({ queryKey: ['agency-changes'], ...loadingOf(agencyChanges, {}) })
  return (
    <Card title={words('agency.changes.title')}>
      {error && !data && <LoadError small error={error} retry={() => void refetch()} />}
      {!error && !data && (
        <Loading>
          <Skeleton className="h-16 w-full" />
        </Loading>
      )}
      {data?.changes.length === 0 && <p className="text-quiet">{words('agency.changes.none')}</p>}
      {data && data.changes.length > 0 && (
        <ol className="-my-2 divide-y divide-line">
          {data.changes.map(change => (
            <li key={change.at} className="grid gap-1 py-2">
              <p className="flex flex-wrap justify-between gap-x-4 text-sm text-quiet">
                <span>{change.who}</span>
                <time dateTime={change.at}>{moment(change.at)}</time>
              </p>
              <Fields change={change} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function Fields({ change }: { change: Change }) {
  const { words, locale } = useWords()
  return (
    <ul className="grid gap-0.5">
      {change.fields.map(({ field, before, after }) => {
        const label = labelOf(field)
        return (
          <li key={field} className="break-words">
            <span className="font-medium">{label ? words(label) : field}</span>{' '}
            {field === 'logo' ? (
              words('agency.changes.logo')
            ) : (
              <Values before={displayValue(field, before ?? '', locale)} after={displayValue(field, after ?? '', locale)} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

const Values = ({ before, after }: { before: string; after: string }) => (
  <>
    <del className="text-quiet">{before}</del> → <ins className="no-underline">{after}</ins>
  </>
)
