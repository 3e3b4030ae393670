import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { readDate } from '#common/kit/dates.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { policyCan } from '#common/policies/states.ts'
import { useFormat } from '#portal/kit/format.ts'
import { queries } from '#portal/kit/queries.ts'
import { type PolicyDetail, policyQuery } from '#portal/policies/policy-query.ts'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Callout, EmptyState } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { type Product, productOf } from '#portal/products/store.ts'
import { birthDatesOf, peopleSoFar, policyholderName } from '../people-form.ts'
import { hasInput, type SaleSource, type Step, type TripForm, useFunnel } from '../store.ts'
import { type Tariff, useRating, useTariff } from '../use-rating.ts'
import { startFunnelFrom } from './sale-from.ts'

/** Starts the funnel from a policy. `/funnel?policy=…` resumes a saved quote, `?copy=…` copies a policy. */
export function StartFromPolicy({ policyUuid, mode }: { policyUuid: string; mode: SaleSource['mode'] }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const isStarted = useRef(false)
  const { data, error } = useQuery({
    queryKey: ['funnel', 'start', policyUuid],
    queryFn: policyQuery(policyUuid).queryFn,
    staleTime: 0,
    gcTime: 0,
  })
  useEffect(() => {
    if (!data || isStarted.current) return
    isStarted.current = true
    // The funnel shows the quote's price at once.
    queries.setQueryData(policyQuery(policyUuid).queryKey, data)
    void start(data, mode, words).then(to => navigate({ ...to, replace: true }))
  }, [data, policyUuid, mode, navigate, words])

  if (error)
    return (
      <EmptyState
        icon="bookmark"
        title={words('funnel.take_up.failed')}
        action={
          <Link to="/policies/saved" className={buttonLook('quiet')}>
            {words('funnel.take_up.to_budgets')}
          </Link>
        }
      >
        {errorMessage(error, words)}
      </EmptyState>
    )
  return (
    <Loading className="grid gap-(--card)">
      <Skeleton className="h-8 w-80 max-w-full" />
      <Skeleton className="h-80 w-full" />
    </Loading>
  )
}

/**
 * Returns the page to continue with. A sale with input is replaced only after a confirmation. A quote that can no longer be resumed opens in the list
 * of policies.
 */
async function start(detail: PolicyDetail, mode: SaleSource['mode'], words: Words) {
  const { policy } = detail
  if (mode === 'resume' && !policyCan('resume', policy)) {
    showAlert({ mode: 'info', description: words('funnel.take_up.sold', { policyholder: policy.policyTaker }) })
    return { to: '/policies', search: { policy: policy.policyUuid } } as const
  }
  const replaces =
    !hasInput(useFunnel.getState()) ||
    (await showAlert({
      mode: 'confirm',
      title: words('funnel.take_up.replace_title'),
      description: words('funnel.take_up.replace'),
      buttonTitle: words(mode === 'resume' ? 'funnel.take_up.resume' : 'funnel.take_up.copy'),
    }))
  const step = replaces ? startFunnelFrom(detail, mode) : useFunnel.getState().step
  return { to: '/funnel', search: { step: String(step) } } as const
}

/** Says that the client or a colleague has saved the quote again since this sale read it, and opens it as it is now. */
export function NewerQuote({ saved }: { saved: PolicyDetail }) {
  const { words } = useWords()
  const navigate = useNavigate()
  return (
    <div role="status">
      <Callout tone="warning" title={words('funnel.buy.budget_changed')}>
        <Button look="quiet" onClick={() => void start(saved, 'resume', words).then(navigate)}>
          {words('funnel.take_up.newest')}
        </Button>
      </Callout>
    </div>
  )
}

type Props = { product: Product; tariff: Tariff | undefined; trip: TripForm; takenUp: SaleSource; step: Step }

/**
 * Names the source of the sale, and warns if its dates have passed or its price or product changed. In step 3, the button that accepts a changed
 * price has the warning beside it.
 */
export function SourceNotice({ product, tariff, trip, takenUp, step }: Props) {
  const { words } = useWords()
  const { cents, date } = useFormat()
  const { agreedTotal, people, bought } = useFunnel()
  const rating = useRating(product, tariff)({ ...trip, birthDates: birthDatesOf(peopleSoFar(people, trip)) })
  if (bought) return null
  const { mode, taker, productGone } = takenUp
  const startDate = readDate(trip.startDate)
  const hasPassed = mode === 'resume' && startDate !== undefined && startDate < todayInUnit()
  const total = rating.price?.total
  const currency = tariff?.basis.currency ?? 'EUR'
  // A resumed quote may get its name here, and without one is known by its reference. A copy is named after the original policyholder.
  const reference = mode === 'resume' ? peopleSoFar(people, trip).insuranceData?.trim() : ''
  const policyholder = (mode === 'resume' && policyholderName(people, trip)) || taker || reference || words('funnel.take_up.unnamed')
  return (
    <div role="status" className="grid gap-2">
      {mode === 'resume' ? (
        <Callout tone="info" title={words('funnel.take_up.resumed', { policyholder })} />
      ) : (
        <Callout tone="info" title={words('funnel.take_up.copied', { policyholder })} />
      )}
      {productGone && <Callout tone="warning" title={words('funnel.take_up.product_gone', { product: productGone })} />}
      {hasPassed && (
        <Callout tone="warning" title={words('funnel.take_up.passed', { from: date(takenUp.startDate), to: date(takenUp.endDate) })} />
      )}
      {mode === 'resume' && step !== 3 && total !== undefined && agreedTotal !== undefined && total !== agreedTotal && (
        <Callout
          tone="warning"
          title={words('funnel.take_up.price_changed', { before: cents(agreedTotal, currency), now: cents(total, currency) })}
        />
      )}
    </div>
  )
}

/** The same on the page of the products, where the trip can be changed, too. */
export function NoticeAtHome({ trip, takenUp }: Pick<Props, 'trip' | 'takenUp'>) {
  const product = useFunnel(({ productUuid }) => productOf(productUuid))
  const { tariff } = useTariff(product)
  return product && <SourceNotice {...{ product, tariff, trip, takenUp }} step={1} />
}
