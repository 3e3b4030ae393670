import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RequestSentOf } from '#common/kit/call.ts'
import { listPolicies, policyTotals } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWaitWord } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { listRequest } from '../list-params.ts'
import { filterOf, useListContext } from '../use-policies.ts'

/** The views that together contain every policy and quote. */
const everywhere = [
  { kind: 'purchased', path: '/policies', status: undefined, text: 'policies.elsewhere_sold' },
  { kind: 'purchased', path: '/policies', status: 'cancelled', text: 'policies.elsewhere_cancelled' },
  { kind: 'budgeted', path: '/policies/saved', status: undefined, text: 'policies.elsewhere_saved' },
] as const

const statusOf = (status: 'cancelled' | undefined) => (status ? { status } : {})

async function count(request: RequestSentOf<typeof listPolicies>, signal: AbortSignal): Promise<number> {
  const { total, totalIsExact } = await ask(listPolicies, request, { signal })
  return totalIsExact ? total : (await ask(policyTotals, filterOf(request), { signal })).matches
}

/** Shows which other views have results of a search that finds nothing here, with a link to each. */
export function FoundElsewhere({ search }: { search: string }) {
  const { words } = useWords()
  const { number } = useFormat()
  const wait = useWaitWord('ui.searching')
  const context = useListContext()
  const may = { purchased: useMay('b2b-policies-sold-view'), budgeted: useMay('b2b-policies-draft-view') }
  const open = everywhere.filter(({ kind }) => may[kind])
  const requests = open.map(({ kind, status }) => ({ ...listRequest(kind, { search, ...statusOf(status) }, context), perPage: 10 }))
  const { data, isError, refetch } = useQuery({
    queryKey: ['policies', 'list', 'elsewhere', requests],
    queryFn: ({ signal }) => Promise.all(requests.map(request => count(request, signal))),
  })
  const found = open.flatMap((place, index) => {
    const total = data?.[index] ?? 0
    return total > 0 ? [{ ...place, total }] : []
  })
  return (
    <span role="status" className="empty:hidden">
      {!data && !isError && wait}
      {!data && isError && (
        <Button look="plain" icon="repeat" onClick={() => void refetch()}>
          {words('policies.elsewhere_failed')}
        </Button>
      )}
      {found.length > 0 && (
        <span className="flex flex-wrap gap-x-3 gap-y-1">
          <span className="text-quiet">{words('policies.elsewhere')}</span>
          {found.map(({ text, path, status, total }) => (
            <Link
              key={text}
              to={path}
              search={{ search, ...statusOf(status) }}
              mask={{ to: path, search: statusOf(status) }}
              className="font-semibold text-accent-ink underline underline-offset-4"
            >
              {words(text, { count: number(total) })}
            </Link>
          ))}
        </span>
      )}
    </span>
  )
}
