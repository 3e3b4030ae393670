import { Link } from '@tanstack/react-router'
import { readDate } from '#common/kit/dates.ts'
import { languageOf } from '#common/kit/locales.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import { showAges } from '#common/kit/typed/written-ages.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { type ManyTrips, manyTrips } from '#common/quotes/rating/many-trips.ts'
import { travelDays } from '#common/quotes/rating/stay.ts'
import { useCountryName, useUnit } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import { buttonLook } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { agesShown } from '../sale.ts'
import type { TripForm } from '../store.ts'

/** `many`: the zone and the term, if the product covers many trips. */
type Props = { product: Product; trip: TripForm; many: ManyTrips | undefined; onLeave?: (() => void) | undefined }

/** The trip, or the trips that a product covers, in one line with a link back to it. */
export function TripSummary({ product, trip, many, onLeave }: Props) {
  const { words, locale } = useWords()
  const { date, list, money } = useFormat()
  const { configuration } = useUnit()
  const countryName = useCountryName()
  const [startDate, endDate] = [readDate(trip.startDate), readDate(trip.endDate)]
  const ages = showAges(readAges(agesShown(trip)) ?? [], Number(trip.travelers))
  const facts = [
    many ? many.zone[languageOf(locale)] : list(trip.mainDestination.map(countryName)),
    startDate && endDate
      ? many
        ? words('funnel.line.term', { from: date(startDate), to: date(endDate), months: many.months })
        : words('funnel.line.dates', { from: date(startDate), to: date(endDate), days: travelDays({ startDate, endDate }) })
      : '',
    many ? words('funnel.line.many', { tripDays: many.days ?? 0 }) : '',
    ages ? words('funnel.line.ages', { ages }) : words('funnel.travellers_count', { count: Number(trip.travelers) }),
    product.settings.hasAmountCancellation && trip.priceTravel
      ? words('funnel.line.cost', { amount: money(Number(trip.priceTravel), configuration.currency) })
      : '',
  ].filter(Boolean)
  return (
    <section
      aria-label={words('funnel.trip.title')}
      className="flex min-h-10.5 items-center gap-x-4.5 gap-y-1 rounded-lg border border-hair bg-sheet py-1.5 pr-2 pl-4 shadow-low"
    >
      <p className="flex min-w-0 flex-1 flex-wrap gap-x-4.5">
        <strong className="font-semibold">{product.name}</strong>
        {facts.map(fact => (
          <span key={fact} className="text-quiet">
            {fact}
          </span>
        ))}
      </p>
      <Link to="/funnel" search={{ step: '1' }} onClick={onLeave} className={buttonLook('plain')}>
        <Icon name="pencil" />
        <span className="max-md:sr-only">{words('funnel.edit_trip')}</span>
      </Link>
    </section>
  )
}

/** Returns the zone of a form's trips, if its product covers many of them. */
export const zoneOf = (
  basis: Basis | undefined,
  { coverageScope: origin, mainDestination: destinations }: Pick<TripForm, 'coverageScope' | 'mainDestination'>,
): ManyTrips | undefined => (basis && origin !== null ? manyTrips(basis, { origin, destinations }) : undefined)
