import { type Ref, useState } from 'react'
import { useFormState } from 'react-hook-form'
import { policyHolderTypes, residenceProblems } from '#common/policies/people.ts'
import { BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { peopleSettings } from '../guard.ts'
import { fillContact, fillFields } from '../known/known-people.ts'
import { documentSearch, nameSearch, useSuggestions } from '../known/use-suggestions.tsx'
import { businessAddress, ownAddress, type PeopleForm, policyholderNames } from '../people-form.ts'
import { AddressFields } from './address-fields.tsx'
import { ContactFields, RareFields } from './contact-fields.tsx'
import { KnownClient } from './known-client.tsx'
import { PersonFields } from '../person/person-fields.tsx'

type Props = {
  form: RulesForm<PeopleForm>
  type: string
  /** The policyholder's country of residence. */
  residence: number
}

/** The policyholder, with address and contact data. A policyholder who travels is the first row of the travellers. */
export function HolderCard({ form, type, residence }: Props) {
  const { words } = useWords()
  const { insuranceData, uploadFile } = form.formState.defaultValues ?? {}
  const settings = peopleSettings()
  const [isMoreOpen, setIsMoreOpen] = useState(Boolean(uploadFile) || Boolean(insuranceData) || residence !== settings.country)
  const { errors } = useFormState({ control: form.control, name: ['residenceCountryId', 'uploadFile'] })
  // A residence that the product does not insure is shown among the visible fields.
  const isRefused = residenceProblems({ roleFirstUser: Number(type), users: [{ residenceCountryId: residence }] }, settings).length > 0
  if (!isMoreOpen && (isRefused || errors.residenceCountryId || errors.uploadFile)) setIsMoreOpen(true)
  return (
    <section
      aria-labelledby="holder"
      className="grid grid-cols-[minmax(0,1fr)] gap-2.5 rounded-lg border border-hair bg-sheet p-(--card) shadow-low"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="holder" className="text-lg font-semibold">
          {words('funnel.holder.title')}
        </h2>
        <Bound<string> chosen name="policyHolderType" label={words('funnel.policyHolderType')} also={['residenceCountryId']}>
          {({ error: _error, ...bound }) => (
            <Segmented
              {...bound}
              label={words('funnel.policyHolderType')}
              options={policyHolderTypes.map(({ id, flag }) => ({ value: String(id), label: words(typeWords[flag]) }))}
            />
          )}
        </Bound>
        {type === '1' && <p className="people-hint text-sm text-quiet">{words('funnel.holder.is_first')}</p>}
        <div className="ml-auto flex flex-wrap items-center gap-1 max-md:w-full">
          <Button
            look="plain"
            className="max-md:-ml-3"
            aria-expanded={isMoreOpen}
            icon={isMoreOpen ? 'chevron-up' : 'chevron-down'}
            onClick={() => setIsMoreOpen(!isMoreOpen)}
          >
            {words('funnel.holder.more')}
          </Button>
          <KnownClient form={form} type={type} />
        </div>
      </header>
      {isMoreOpen && <RareFields form={form} country={residence} />}
      {type === '2' && (
        <PersonFields form={form} names={policyholderNames} address={ownAddress} residence={residence} traveller={undefined} />
      )}
      {type === '3' && <CompanyFields form={form} />}
      <div className="people-address">
        <AddressFields key={type} form={form} names={type === '3' ? businessAddress : ownAddress} country={residence} />
        <ContactFields form={form} country={residence} />
      </div>
    </section>
  )
}

const typeWords = {
  policyholderTravels: 'funnel.type.travels',
  policyholderDoesNotTravel: 'funnel.type.not',
  policyholderCompany: 'funnel.type.company',
} as const

function CompanyFields({ form }: { form: RulesForm<PeopleForm> }) {
  const { words } = useWords()
  const suggestions = useSuggestions({
    role: 'company',
    label: words('funnel.businessName'),
    takesOnly: ({ by }) => by === 'document' && !form.getValues('businessName').trim(),
    onChoose(company) {
      fillFields(form, [
        ['businessName', company.companyName],
        ['businessNumber', company.docNumber],
      ])
      fillContact(form, businessAddress, company)
    },
  })
  return (
    <div className="people-company">
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

type Choice<Value extends string> = {
  label: string
  name: string
  value: Value | ''
  onChange: (value: Value) => void
  onBlur?: (() => void) | undefined
  options: readonly { value: Value; label: string }[]
  ref?: Ref<HTMLInputElement> | undefined
}

/** A choice among a few short options in one line, made of the browser's radio buttons. */
function Segmented<Value extends string>({ label, name, value, onChange, onBlur, options, ref }: Choice<Value>) {
  return (
    <fieldset className="inline-flex gap-0.5 rounded-lg bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option, index) => (
        <label key={option.value} className="people-segment text-sm font-semibold whitespace-nowrap text-quiet hover:text-ink">
          {option.label}
          <input
            ref={index === 0 ? ref : undefined}
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            onBlur={onBlur}
            className="absolute inset-0 cursor-pointer appearance-none rounded-md outline-none"
          />
        </label>
      ))}
    </fieldset>
  )
}
