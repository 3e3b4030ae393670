import { toCents } from '#common/kit/money.ts'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { type CoverGroup, roundMoney } from '#common/products/cover.ts'
import { keyCover } from '#common/quotes/ranking.ts'
import type { Standing } from '#common/quotes/comparison.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { groupNames } from '../compare/group-names.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import type { TripForm } from '../store.ts'

type Props = {
  product: Product
  standing: Standing | undefined
  trip: TripForm
  groups: readonly CoverGroup[]
  zone: string | undefined
  /** The digit that chooses this row. */
  digit: number
  isChosen: boolean
  onChoose: () => void
}

/** One product: its name, three covers, the agency's commission and the price. On a narrow screen it is a card. */
export function Row({ product, standing, trip, groups, zone, digit, isChosen, onChoose }: Props) {
  const { words } = useWords()
  const { number, money, date } = useFormat()
  const showsCommission = useShowsCommission()
  const { uuid, name, description, productBuCommission } = product
  const { quote, term } = standing?.state === 'priced' ? standing : {}
  const rate = quote?.commission.rate ?? productBuCommission
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid around the rows has the keys
    <div
      role="row"
      aria-selected={isChosen}
      tabIndex={isChosen ? 0 : -1}
      data-product={uuid}
      onClick={onChoose}
      className="price-row scroll-mt-16"
    >
      <div role="gridcell" className="digit">
        <Keys keys={String(digit)} className="text-faint" />
      </div>
      <div role="gridcell" className="what">
        <p className="font-semibold">{name}</p>
        <p className="line-clamp-3 text-sm text-quiet">
          {term ? words('compare.term', { from: date(term.startDate), to: date(term.endDate) }) : description}
        </p>
      </div>
      {groups.map(group => (
        <div key={group} role="gridcell" className="cover">
          <span className="block text-xs text-faint lg:hidden">{words(groupNames[group])}</span>
          <Cover product={product} group={group} zone={zone} insured={quote && group === 'cancellation' ? trip.priceTravel : null} />
        </div>
      ))}
      {showsCommission && (
        <div role="gridcell" className="earns">
          {quote ? money(quote.commission.amount, quote.currency) : '–'}{' '}
          {rate !== null && <span className="text-sm text-faint">{words('quote.commission_rate', { percent: number(rate) })}</span>}
        </div>
      )}
      <div role="gridcell" className="total">
        <PriceText standing={standing} trip={trip} />
      </div>
    </div>
  )
}

/** The value of a cover. Cancellation cover insures the cost of the trip. */
function Cover({
  product: { coverages, settings },
  group,
  zone,
  insured,
}: Pick<Props, 'product' | 'zone'> & { group: CoverGroup; insured: TripForm['priceTravel'] }) {
  const { words, locale } = useWords()
  const { currency } = useUnit().configuration
  const round = (amount: number) => roundMoney(toCents(amount) ?? 0, { locale, currency })
  const cover = keyCover(group, coverages, zone)
  // The sum depends on the zone, which only a price tells.
  if (cover === undefined || (cover && group === 'medical' && !zone)) return '–'
  if (cover === null) return <span className="text-faint">{words('quote.not_covered')}</span>
  if (group !== 'cancellation' || !settings.hasAmountCancellation) return cover.value
  return typeof insured === 'number' && insured > 0 ? (
    <strong className="font-semibold">{round(insured)}</strong>
  ) : (
    words('quote.up_to', { amount: round(settings.maxTravelCost) })
  )
}

/** The price, or what is missing for it. */
export function PriceText({ standing, trip }: Pick<Props, 'standing' | 'trip'>) {
  const { words } = useWords()
  const { money } = useFormat()
  if (standing?.state === 'priced') return <span className="whitespace-nowrap">{money(standing.quote.total, standing.quote.currency)}</span>
  if (standing?.state === 'refused') return <span className="lacks font-semibold text-warning">{words('compare.not_for_trip')}</span>
  if (standing?.state !== 'asks') return '–'
  const missing = !trip.priceTravel ? 'quote.lacks_cost' : trip.reservationDate ? 'quote.lacks_other' : 'quote.lacks_date'
  return <span className="lacks font-semibold text-warning">{words(missing)}</span>
}
