import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { displayDate } from '#common/kit/dates.ts'
import { listPolicies } from '#common/policies/calls.ts'
import { newestPage, newestQuotes } from '#common/policies/search.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { buttonLook } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useProductName } from '#portal/products/store.ts'
import { useMay } from '#portal/session/session.ts'
import { lapsed, PriceUntil } from '../price-until.tsx'

/** The newest saved quotes with the time until which each can be sold at its price. Hidden if there are none. */
export function NewestQuotes() {
  const { words } = useWords()
  const { money } = useFormat()
  const nameOf = useProductName()
  const id = useId()
  const maySell = useMay('b2b-products-sell')
  const { policyStatusTypes } = useUnit()
  const { data, error, refetch } = useQuery({
    queryKey: ['policies', 'newest'],
    ...loadingOf(listPolicies, newestPage(policyStatusTypes.budgeted.uuid, newestQuotes)),
  })
  if (!data && error) return <LoadError small error={error} retry={() => void refetch()} />
  if (!data || data.policies.length === 0) return null
  return (
    <section aria-labelledby={id} className="grid gap-1.5">
      <h2 id={id} className="text-sm text-quiet">
        {words('day.newest')}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line bg-sheet">
        {data.policies.map(policy => (
          <li key={policy.policyUuid} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5">
            <Link to="/policies/saved" search={{ policy: policy.policyUuid }} className="min-w-0 flex-1 basis-56 hover:underline">
              <b className="block truncate font-semibold">{policy.policyTaker || policy.buReference || nameOf(policy)}</b>
              <span className="block truncate text-sm text-quiet">
                {nameOf(policy)} · {displayDate(policy.startDate)} – {displayDate(policy.endDate)}
              </span>
            </Link>
            {policy.priceValidUntil && (
              <span className="text-sm text-quiet">
                <PriceUntil at={policy.priceValidUntil} look="phrase" />
              </span>
            )}
            <b className="ml-auto font-semibold">{money(policy.total, policy.currency)}</b>
            {maySell && (
              <Link to="/funnel" search={{ policy: policy.policyUuid }} className={buttonLook('quiet')}>
                {words(lapsed(policy) ? 'day.price_again' : 'day.resume')}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
