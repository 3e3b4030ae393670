import { useEffect } from 'react'
import { otherCountryNames } from '#common/geography/other-names.ts'
import { readDate } from '#common/kit/dates.ts'
import { checkDestinationCoverage } from '#common/quotes/calls.ts'
import { endDates, startDates } from '#common/kit/validators/periods.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { BoundCombobox, BoundComboboxOfSeveral, BoundDate } from '#portal/kit/form/bound.tsx'
import { BoundMoney, BoundNumber } from '#portal/kit/form/bound-more.tsx'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { FilledNotice } from '../paste/filled-notice.tsx'
import { PasteBooking } from '../paste/paste-booking.tsx'
import { usePasted } from '../paste/use-pasted.tsx'
import { SaveBudget } from '../save-budget.tsx'
import { Steps } from '../steps.tsx'
import { type TripForm, useFunnel } from '../store.ts'
import { Ages } from './ages.tsx'
import { CompareTrip } from './compare-trip.tsx'
import { ProductField } from './product-field.tsx'
import { PriceSummary } from '../price-summary.tsx'
import { type Tariff, useRating } from '../rating.ts'
import { tripField } from '../requests.ts'

type Props = { product: Product; tariff: Tariff | undefined; trip: TripForm; onProduct: (uuid: string) => void; onNext: () => void }

/** Step 1: the trip. The price updates with every change. */
export function TripStep({ product, tariff, trip, onProduct, onNext }: Props) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const rate = useRating(product, tariff)
  const today = todayInUnit()
  const { settings } = product
  const form = useRulesForm<TripForm>({
    defaultValues: trip,
    rules: values => rate(values).problems ?? [],
    fieldOf: tripField,
    send: async values => {
      await checkCoverage(product, values)
      // The price shown here is agreed to, or that of a resumed quote. If it changes later, the user has to accept the new one.
      useFunnel.setState(({ takenUp, agreedTotal }) => ({
        trip: values,
        agreedTotal: (takenUp && agreedTotal) ?? rate(values).price?.total,
      }))
      onNext()
    },
  })
  // Stores every change, so that it survives a reload.
  useEffect(() => {
    // Safe: every field of the form has a default value.
    const { unsubscribe } = form.watch(values => useFunnel.setState({ trip: values as TripForm }))
    return unsubscribe
  }, [form])
  const pasted = usePasted(form)
  const { hint } = pasted
  const values = form.watch()
  const rating = rate(values)
  const countries = configuration.countriesList.map(({ id, name, alpha2 }) => ({
    value: id,
    label: name,
    detail: alpha2,
    also: otherCountryNames.get(alpha2)?.join(' '),
  }))
  const offeredCountries = settings.countries.length === 0 ? countries : countries.filter(({ value }) => settings.countries.includes(value))
  const startBounds = startDates(today, settings)
  const endBounds = endDates(today, settings)

  return (
    <RulesForm form={form} className="grid grid-cols-[minmax(0,1fr)] gap-(--card) lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-(--card)">
        <Steps current={1} />
        <ErrorSummary />
        <Card
          title={words('funnel.trip.title')}
          actions={
            <div className="flex flex-wrap gap-2">
              <PasteBooking product={product} onFill={pasted.fill} />
              <CompareTrip trip={values} current={product} onChoose={onProduct} />
            </div>
          }
        >
          <FilledNotice pasted={pasted} />
          <ProductField product={product} onChange={onProduct} />
          <div className="grid gap-(--gap) sm:grid-cols-2">
            <BoundDate
              label={words('funnel.startDate')}
              name="startDate"
              required
              today={today}
              min={startBounds.from}
              max={startBounds.to}
              hint={hint('startDate')}
              also={['endDate', 'birthDates']}
            />
            <BoundDate
              label={words('funnel.endDate')}
              name="endDate"
              required
              today={today}
              min={readDate(values.startDate) ?? startBounds.from}
              max={endBounds.to}
              hint={hint('endDate', lengthHint(tariff, words))}
            />
            <BoundCombobox
              label={words('funnel.coverageScope')}
              name="coverageScope"
              required
              options={countries}
              disabled={settings.lockOriginRegion}
              hint={hint('coverageScope', settings.lockOriginRegion ? words('funnel.locked') : undefined)}
              also={['mainDestination']}
            />
            <BoundNumber
              label={words('funnel.travelers')}
              name="travelers"
              required
              min={Math.max(1, settings.minPax)}
              max={settings.maxPax}
              hint={hint('travelers')}
              also={['priceTravel']}
            />
            <BoundComboboxOfSeveral
              label={words('funnel.mainDestination')}
              name="mainDestination"
              required
              className="sm:col-span-2"
              options={offeredCountries}
              disabled={settings.lockDestinationCountry}
              hint={hint('mainDestination', settings.lockDestinationCountry ? words('funnel.locked') : undefined)}
            />
            {settings.hasAmountCancellation && (
              <>
                <BoundMoney
                  label={words('funnel.priceTravel')}
                  name="priceTravel"
                  required
                  currency={configuration.currency}
                  hint={hint('priceTravel', words('funnel.priceTravel_hint'))}
                />
                <BoundDate
                  label={words('funnel.reservationDate')}
                  name="reservationDate"
                  required
                  today={today}
                  max={today}
                  hint={hint('reservationDate', words('funnel.reservationDate_hint'))}
                />
              </>
            )}
          </div>
          <Ages form={form} travelers={values.travelers} today={today} hint={hint} />
        </Card>
      </div>
      <PriceSummary product={product} tariff={tariff} trip={values} rating={rating}>
        <Button type="submit" busy={form.busy} className="w-full">
          {words('funnel.next_people')}
        </Button>
        {rating.price && <SaveBudget product={product} />}
      </PriceSummary>
    </RulesForm>
  )
}

/** Checks the destinations before step 2 (spec 4). A refusal shows the service's message in a window (spec 8). */
async function checkCoverage(product: Product, { mainDestination, coverageScope }: TripForm): Promise<void> {
  const request = {
    productUuid: product.uuid,
    countriesDestinationId: mainDestination.join(','),
    ...(coverageScope === null ? {} : { countryOriginId: coverageScope }),
  }
  await ask(checkDestinationCoverage, request).catch((error: unknown) => {
    if (error instanceof Refused) alertError(error)
    throw error
  })
}

function lengthHint(tariff: Tariff | undefined, words: ReturnType<typeof useWords>['words']): string {
  // A non-breaking space keeps the height until the tariff is loaded.
  if (!tariff) return '\u00a0'
  const { minTravelLength, maxTravelLength } = tariff.basis.settings
  return words('funnel.endDate_hint', { least: minTravelLength, most: maxTravelLength })
}
