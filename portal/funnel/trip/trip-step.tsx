import { useEffect, useState } from 'react'
import { otherCountryNames } from '#common/geography/other-names.ts'
import { readDate } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { readTravellers } from '#common/kit/typed/travellers.ts'
import type { ManyTrips } from '#common/quotes/rating/many-trips.ts'
import { checkDestinationCoverage } from '#common/quotes/calls.ts'
import { endDates, startDates } from '#common/kit/validators/periods.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { BoundCombobox, BoundComboboxOfSeveral, BoundDate, BoundText } from '#portal/kit/form/bound.tsx'
import { BoundMoney, BoundNumber } from '#portal/kit/form/bound-more.tsx'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { logOnly } from '#portal/kit/log.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { shortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type Product, productOf } from '#portal/products/store.ts'
import { CompareButton } from '../compare/compare-button.tsx'
import { FilledNotice } from '../paste/filled-notice.tsx'
import { PasteBooking } from '../paste/paste-booking.tsx'
import { usePasted } from '../paste/use-pasted.tsx'
import { type StepFrame, StepPage } from '../step-page.tsx'
import { type TripForm, useFunnel } from '../store.ts'
import { agesProblems, agesShown, tripFor } from '../sale.ts'
import { ProductField } from './product-field.tsx'
import { Mend } from '../price/mend.tsx'
import { PriceBar } from '../price/price-bar.tsx'
import { type Tariff, useRating } from '../rating.ts'
import { tripField } from '../trip-request.ts'

type Props = {
  frame: StepFrame
  product: Product
  tariff: Tariff | undefined
  trip: TripForm
  onProduct: (uuid: string) => void
  onNext: () => void
}

/** Step 1: the trip. The price updates with every change. */
export function TripStep({ frame, product, tariff, trip, onProduct, onNext }: Props) {
  const { words, locale } = useWords()
  const { configuration } = useUnit()
  const rate = useRating(product, tariff)
  const today = todayInUnit()
  const { settings } = product
  const form = useRulesForm<TripForm>({
    // The birth dates of step 2 may have changed the ages.
    defaultValues: { ...trip, ages: agesShown(trip) },
    rules: values => [...agesProblems(values), ...(rate(values).problems ?? [])],
    fieldOf: tripField,
    send: async values => {
      await checkCoverage(product, values)
      // The user accepts the price shown here, or that of a resumed quote. If it changes later, the new one must be accepted.
      useFunnel.setState(({ takenUp, agreedTotal }) => ({
        productUuid: product.uuid,
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
  const zones = useZones(tariff)
  const many = zones?.zoneOf(tariff?.basis, values)
  const destinations = zones?.withZones(countries, tariff?.basis, values.coverageScope, locale) ?? countries
  const offeredCountries =
    settings.countries.length === 0 ? destinations : destinations.filter(({ value }) => settings.countries.includes(value))
  const startBounds = startDates(today, settings)
  const endBounds = endDates(today, settings)

  const putTrip = (typed: TripForm, chosen = product) => pasted.put(changedIn(tripFor(chosen, typed), form.getValues()))

  return (
    <StepPage step={1} frame={frame}>
      <RulesForm form={form} className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
        <Card
          title={words('funnel.trip.title')}
          actions={
            <div className="flex flex-wrap gap-2">
              <PasteBooking label={words('funnel.paste')} product={product} onFill={pasted.fill} />
              <CompareButton
                trip={values}
                current={product}
                onClose={putTrip}
                onChoose={(uuid, typed) => {
                  putTrip(typed, productOf(uuid))
                  onProduct(uuid)
                }}
              >
                {words('funnel.compare')}
              </CompareButton>
            </div>
          }
        >
          <FilledNotice pasted={pasted} />
          <ProductField product={product} onChange={onProduct} />
          <div className="grid items-start gap-(--gap) sm:grid-cols-2 xl:grid-cols-4">
            <BoundDate
              label={words('funnel.startDate')}
              name="startDate"
              required
              kind="trip"
              today={today}
              min={startBounds.from}
              max={startBounds.to}
              hint={hint('startDate')}
              also={['endDate', 'ages']}
              onChanged={() => form.setValue('ages', agesShown(form.getValues()))}
            />
            <BoundDate
              label={words('funnel.endDate')}
              name="endDate"
              required
              kind="trip"
              today={today}
              from={() => readDate(form.getValues('startDate'))}
              min={readDate(values.startDate) ?? startBounds.from}
              max={endBounds.to}
              hint={hint('endDate', lengthHint(tariff, words))}
            />
            <BoundComboboxOfSeveral
              label={words('funnel.mainDestination')}
              name="mainDestination"
              required
              options={offeredCountries}
              disabled={settings.lockDestinationCountry}
              hint={hint(
                'mainDestination',
                settings.lockDestinationCountry ? words('funnel.locked') : many && zoneHint(many, words, locale),
              )}
            />
            <BoundCombobox
              label={words('funnel.coverageScope')}
              name="coverageScope"
              required
              clearable={false}
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
              also={['priceTravel', 'ages']}
              // Reducing the number removes the last travellers.
              onLeft={() => form.setValue('ages', agesShown(form.getValues()))}
            />
            <BoundText
              label={words('funnel.ages')}
              name="ages"
              inputMode="decimal"
              autoComplete="off"
              hint={hint('ages', words(values.birthDates.some(({ date }) => date) ? 'funnel.ages_known' : 'funnel.ages_hint'))}
              tidy={text => agesShown({ ...form.getValues(), ages: readTravellers(text).ages })}
              onChanged={text => {
                // The field beside it shows how many travellers were read, also from `17x`.
                const { travelers } = readTravellers(text)
                if (travelers && text.trim()) form.setValue('travelers', travelers, { shouldValidate: true })
              }}
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
                  kind="past"
                  today={today}
                  hint={hint('reservationDate', words('funnel.reservationDate_hint'))}
                />
              </>
            )}
          </div>
        </Card>
        <PriceBar
          product={product}
          tariff={tariff}
          trip={values}
          rating={rating}
          mend={<Mend control={form.control} />}
          savable={rating.price !== undefined}
        >
          <Button {...shortcut('next')} className="goes-on" type="submit" busy={form.busy}>
            {words('funnel.next_people')}
            <Keys keys={shortcuts.next} className="max-lg:hidden" />
          </Button>
        </PriceBar>
      </RulesForm>
    </StepPage>
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

/** Returns the fields of a trip that differ from the previous one. */
const changedIn = (typed: TripForm, before: TripForm): Partial<TripForm> =>
  Object.fromEntries(
    // Safe: both have the same fields.
    Object.entries(typed).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof TripForm])),
  )

function lengthHint(tariff: Tariff | undefined, words: ReturnType<typeof useWords>['words']): string {
  // A non-breaking space keeps the height until the tariff is loaded.
  if (!tariff) return '\u00a0'
  const { settings, tariff: rates } = tariff.basis
  const { minTravelLength, maxTravelLength, maxTripDays } = settings
  // Such a policy ends a whole term after its start, whatever the length of its trips.
  if (rates.base.kind === 'term') return words('funnel.endDate_term', { months: rates.base.months, tripDays: maxTripDays ?? 0 })
  return words('funnel.endDate_hint', { least: minTravelLength, most: maxTravelLength })
}

const zoneHint = ({ zone, days }: ManyTrips, words: ReturnType<typeof useWords>['words'], locale: Locale): string =>
  words('funnel.zone_hint', { zone: zone[languageOf(locale)], tripDays: days ?? 0 })

/** Loads the names of zones for products sold by zone. */
function useZones(tariff: Tariff | undefined) {
  const [zones, setZones] = useState<typeof import('./zones.ts')>()
  const isNeeded = tariff?.basis.tariff.base.kind === 'term'
  useEffect(() => {
    if (isNeeded) void import('./zones.ts').then(setZones, logOnly('loading zones'))
  }, [isNeeded])
  return isNeeded ? zones : undefined
}
