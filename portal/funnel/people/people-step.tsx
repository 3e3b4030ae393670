import { useEffect, useState } from 'react'
import { step2Problems } from '#common/policies/step2.ts'
import { dialledFrom } from '#common/kit/validators/contacts.ts'
import { policyHolderTypes } from '#common/policies/types.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import { BoundRadioCards } from '#portal/kit/form/bound-more.tsx'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { type RulesForm as RulesFormOf, useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { peopleSettings, residenceOf } from '../guard.ts'
import { AlreadyInsured } from '../known/already-insured.tsx'
import { fillContact, fillFields } from '../known/fill.ts'
import { documentSearch, nameSearch, useSuggestions } from '../known/use-suggestions.tsx'
import { SaveBudget } from '../save-budget.tsx'
import { Steps } from '../steps.tsx'
import { type TripForm, useFunnel } from '../store.ts'
import { PriceSummary } from '../price-summary.tsx'
import { type Tariff, useRating } from '../rating.ts'
import { ExtraTravellers } from './extra-travellers.tsx'
import {
  birthDatesOf,
  businessAddress,
  insuredNames,
  ownAddress,
  type PeopleForm,
  peopleForm,
  policyholderNames,
  step2Of,
  withTravellers,
} from '../people-form.ts'
import { PersonFields } from './person-fields.tsx'
import { AddressFields } from './address-fields.tsx'
import { codeQuestions } from './doubtful-code.ts'

type Props = { product: Product; tariff: Tariff | undefined; trip: TripForm; onNext: () => void; onBack: () => void }

/** Step 2: the policyholder and the travellers. */
export function PeopleStep({ product, tariff, trip, onNext, onBack }: Props) {
  const { words } = useWords()
  const rate = useRating(product, tariff)
  // The initial values stay, so that typing redraws only its own field. Only the travellers and their birth dates are shown elsewhere.
  const [initial] = useState(() => ({ trip, form: peopleForm(useFunnel.getState().people, trip) }))
  const form = useRulesForm<PeopleForm>({
    defaultValues: initial.form,
    rules: values => [
      ...step2Problems(step2Of(values), values.extraTravellers.length + 1, peopleSettings()),
      ...codeQuestions(values, residenceOf(values)),
    ],
    send: async values => {
      useFunnel.setState({ people: step2Of(values) })
      onNext()
    },
  })
  // Stores every change, so that it survives a reload. Step 1 shares the number and birth dates of the travellers.
  const { watch } = form
  useEffect(() => {
    const { unsubscribe } = watch(values => {
      // Safe: every field of the form has a default value.
      const people = step2Of(values as PeopleForm)
      useFunnel.setState(({ trip }) => ({ people, trip: trip && withTravellers(trip, birthDatesOf(people)) }))
    })
    return unsubscribe
  }, [watch])
  const [type, chosenCountry] = form.watch(['policyHolderType', 'residenceCountryId'])
  const residence = residenceOf({ residenceCountryId: chosenCountry })
  // Until something is typed here, the travellers are those of step 1.
  const ratedTrip = trip === initial.trip ? { ...trip, birthDates: birthDatesOf(step2Of(initial.form)) } : trip

  return (
    <RulesForm form={form} className="grid grid-cols-[minmax(0,1fr)] gap-(--card) lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-(--card)">
        <Steps current={2} />
        <ErrorSummary
          within={name => {
            const row = /^extraTravellers\.(\d+)/.exec(name)?.[1]
            return row && words('funnel.extra.traveller', { place: Number(row) + 2 })
          }}
        />
        <AlreadyInsured productUuid={product.uuid} trip={trip} />
        <Card title={words('funnel.holder.title')}>
          <BoundRadioCards
            label={words('funnel.policyHolderType')}
            name="policyHolderType"
            required
            options={policyHolderTypes.map(({ id, flag }) => ({
              value: String(id),
              label: words(typeWords[flag].label),
              detail: words(typeWords[flag].detail),
              icon: typeWords[flag].icon,
            }))}
          />
          {type === '1' && <PersonFields form={form} names={insuredNames} address={ownAddress} />}
          {type === '2' && <PersonFields form={form} names={policyholderNames} address={ownAddress} />}
          {type === '3' && <CompanyFields form={form} />}
          <AddressFields key={type} form={form} names={type === '3' ? businessAddress : ownAddress} country={residence} />
          <ContactFields form={form} country={residence} />
        </Card>
        {type !== '1' && (
          <Card title={words('funnel.first_traveller')}>
            <PersonFields form={form} names={insuredNames} />
          </Card>
        )}
        <ExtraTravellers form={form} maxTravellers={product.settings.maxPax} />
      </div>
      <PriceSummary product={product} tariff={tariff} trip={ratedTrip} rating={rate(ratedTrip)}>
        <Button type="submit" busy={form.busy} className="w-full">
          {words('funnel.next_payment')}
        </Button>
        <div className="flex flex-wrap gap-2">
          <Button look="quiet" icon="arrow-left" className="flex-1" onClick={onBack}>
            {words('funnel.back')}
          </Button>
          <SaveBudget product={product} />
        </div>
      </PriceSummary>
    </RulesForm>
  )
}

const typeWords = {
  policyholderTravels: { label: 'funnel.type.travels', detail: 'funnel.type.travels_detail', icon: 'plane' },
  policyholderDoesNotTravel: { label: 'funnel.type.not', detail: 'funnel.type.not_detail', icon: 'user' },
  policyholderCompany: { label: 'funnel.type.company', detail: 'funnel.type.company_detail', icon: 'building' },
} as const

function CompanyFields({ form }: { form: RulesFormOf<PeopleForm> }) {
  const { words } = useWords()
  const suggestions = useSuggestions('company', words('funnel.businessName'), company => {
    fillFields(form, [
      ['businessName', company.companyName],
      ['businessNumber', company.docNumber],
    ])
    fillContact(form, businessAddress, company)
  })
  return (
    <div className="grid gap-(--gap) sm:grid-cols-2">
      <BoundText
        label={words('funnel.businessName')}
        name="businessName"
        required
        autoComplete="off"
        {...suggestions.field('businessName', text => nameSearch(text, ''))}
      />
      <BoundText
        label={words('funnel.businessNumber')}
        name="businessNumber"
        required
        autoComplete="off"
        spellCheck={false}
        tidy={ungrouped}
        {...suggestions.field('businessNumber', documentSearch)}
      />
      {suggestions.list}
    </div>
  )
}

/** The policyholder's country and contact fields, for every type of policyholder. */
function ContactFields({ form, country }: { form: RulesFormOf<PeopleForm>; country: number }) {
  const { words } = useWords()
  const { countriesList } = useUnit().configuration
  return (
    <div className="grid gap-(--gap) sm:grid-cols-2">
      <Combobox
        label={words('funnel.residence')}
        name="residenceCountryId"
        clearable={false}
        options={countriesList.map(({ id, name, alpha2 }) => ({ value: id, label: name, detail: alpha2 }))}
        value={country}
        onChange={id => moveTo(form, id)}
      />
      <BoundText label={words('funnel.email')} name="email" type="email" required autoComplete="off" inputMode="email" />
      <div className="grid grid-cols-[6rem_minmax(0,1fr)] gap-2">
        <BoundText
          label={words('funnel.phonePrefix')}
          name="phonePrefix"
          type="tel"
          placeholder={dialledFrom(country)}
          also={['phoneNumber']}
          autoComplete="off"
        />
        <BoundText label={words('funnel.phoneNumber')} name="phoneNumber" type="tel" required autoComplete="off" tidy={ungrouped} />
      </div>
      <BoundText
        label={words('funnel.insuranceData')}
        name="insuranceData"
        hint={words('funnel.insuranceData_hint')}
        maxLength={100}
        autoComplete="off"
      />
    </div>
  )
}

/** The formats of another country hold, and its provinces are listed. */
function moveTo(form: RulesFormOf<PeopleForm>, residenceCountryId: number | null): void {
  if (residenceCountryId === residenceOf(form.getValues())) return
  form.setValue('residenceCountryId', residenceCountryId === peopleSettings().country ? null : residenceCountryId, { shouldDirty: true })
  for (const { province, city, zipCode } of [ownAddress, businessAddress])
    for (const name of [province, city, zipCode]) form.setValue(name, '')
  const touched = (['documentNumber', 'policyHolderDocumentNumber', 'businessNumber', 'phoneNumber'] as const).filter(
    name => form.getFieldState(name).isTouched,
  )
  if (touched.length > 0) void form.trigger(touched)
}
