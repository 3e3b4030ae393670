import { Link } from '@tanstack/react-router'
import type { Standing } from '#common/quotes/comparison.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Badge } from '#portal/kit/ui/card.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { carryTrip } from '../sale.ts'
import { CostFields } from './cost-fields.tsx'
import { hasCost, type Prices, type Pricing } from './use-standings.ts'

/** Returns the product whose column shows the fields of cancellation cover: the first that needs them and is not refused anyway. */
export const askingProduct = (products: readonly Product[], { standings }: Prices): Product | undefined =>
  products.find(({ uuid, settings }) => settings.hasAmountCancellation && standings.get(uuid)?.state !== 'refused')

type Props = Pricing & { product: Product; asking: Product | undefined }

/** A product's price and commission for the trip, or the fields that the price lacks, or the refusal. */
export function PriceCell({ product, asking, ...pricing }: Props) {
  const standing = pricing.prices.standings.get(product.uuid)
  return (
    <div className="grid justify-items-start gap-2">
      {pricing.prices.isComplete && !pricing.prices.areCurrent && !pricing.prices.error ? (
        <div aria-busy="true">
          <Skeleton className="h-7 w-24" />
        </div>
      ) : (
        <Price product={product} standing={standing} asking={asking} trip={pricing.trip} />
      )}
      {asking === product && <CostFields standing={standing} {...pricing} />}
      {standing?.state !== 'refused' && <Choice product={product} {...pricing} />}
    </div>
  )
}

function Price({ product, standing, asking, trip }: Pick<Props, 'product' | 'asking' | 'trip'> & { standing: Standing | undefined }) {
  const { words } = useWords()
  const { money, number, date } = useFormat()
  const showsCommission = useShowsCommission()
  const lines = (texts: readonly string[]) =>
    texts.map(text => (
      <p key={text} className="text-sm text-quiet">
        {text}
      </p>
    ))
  if (standing?.state === 'refused')
    return (
      <>
        <Badge tone="warning">{words('compare.not_for_trip')}</Badge>
        {lines(standing.reasons)}
      </>
    )
  if (standing?.state === 'priced') {
    const { total, currency, commission, provisional } = standing.quote
    return (
      <>
        <p className="text-xl font-semibold">{money(total, currency)}</p>
        {standing.term && lines([words('compare.term', { from: date(standing.term.startDate), to: date(standing.term.endDate) })])}
        {showsCommission &&
          lines([words('compare.commission', { amount: money(commission.amount, currency), percent: number(commission.rate) })])}
        {provisional && <p className="text-sm text-warning">{words('funnel.provisional')}</p>}
      </>
    )
  }
  const commission = product.productBuCommission
  return (
    <>
      <p className="text-xl font-semibold">–</p>
      {showsCommission && commission !== null && lines([words('compare.commission_rate', { percent: number(commission) })])}
      {standing?.state === 'asks' &&
        asking &&
        asking !== product &&
        lines(hasCost(trip) ? standing.problems.map(({ message }) => message) : [words('compare.lacks_cost_in', { product: asking.name })])}
    </>
  )
}

/** Continues with a product, in the sale in progress or by a link to a sale. */
function Choice({ product, current, trip, onChoose }: Pick<Props, 'product' | 'current' | 'trip' | 'onChoose'>) {
  const { words } = useWords()
  const { uuid, name } = product
  if (!onChoose)
    return (
      <Link
        to="/funnel"
        search={{ product: uuid }}
        onClick={() => carryTrip(product, trip)}
        className={buttonLook('quiet')}
        aria-label={words('products.sell_named', { product: name })}
      >
        {words('products.sell')}
      </Link>
    )
  const isCurrent = product.uuid === current?.uuid
  return (
    <Button
      look={isCurrent ? 'main' : 'quiet'}
      onClick={() => onChoose(uuid)}
      aria-label={words(isCurrent ? 'compare.keep_named' : 'compare.choose_named', { product: name })}
    >
      {words(isCurrent ? 'compare.keep' : 'compare.choose_one')}
    </Button>
  )
}
