import { type ReactNode, useId, useMemo } from 'react'
import { intlTag, locales } from '#common/kit/locales.ts'
import { quoteHours } from '#common/kit/validators/periods.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { BoundCombobox, BoundDate, BoundSelect, BoundText } from '#portal/kit/form/bound.tsx'
import { BoundNumber, BoundSwitch } from '#portal/kit/form/bound-more.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { languageNames } from '#portal/kit/language.ts'

const textProps = { autoComplete: 'off', required: true } as const
/** Fields validated again when the language changes. Its country decides the formats of tax ids and postal codes. */
const byLanguage = ['taxId', 'address.zipCode'] as const

/** The fields of a unit that the administration sets. `onCountry` receives another country of the unit. */
export function UnitFields({ onCountry }: { onCountry?: (country: number | null) => void }) {
  const { words, locale } = useWords()
  const { countriesList } = useUnit().configuration
  const countries = countriesList.map(({ id, name, alpha2 }) => ({ value: id, label: name, detail: alpha2 }))
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone').map(value => ({ value, label: value.replaceAll('_', ' ') })), [])
  const currencies = useMemo(() => currenciesIn(intlTag(locale)), [locale])
  return (
    <>
      <Group title={words('administration.identity')}>
        <BoundText name="brandName" label={words('administration.brand')} {...textProps} />
        <BoundText name="legalName" label={words('administration.legal_name')} {...textProps} />
        <BoundText name="taxId" label={words('administration.tax_id')} {...textProps} />
        <BoundText name="managementGroup" label={words('administration.group')} {...textProps} />
        <BoundSelect
          name="distributionRole"
          label={words('administration.distribution_role')}
          hint={words('administration.distribution_role_hint')}
          required
          options={(['agent', 'broker'] as const).map(value => ({ value, label: words('administration.distributor', { role: value }) }))}
        />
        <BoundText
          name="accent"
          label={words('administration.accent')}
          hint={words('administration.accent_hint')}
          {...textProps}
          maxLength={7}
        />
      </Group>
      <Group title={words('administration.region')}>
        <BoundSelect
          name="locale"
          label={words('administration.language')}
          required
          also={byLanguage}
          options={locales.map(value => ({ value, label: languageNames[value] }))}
        />
        <BoundCombobox
          name="country"
          label={words('administration.country')}
          required
          options={countries}
          {...(onCountry ? { onChanged: onCountry } : {})}
        />
        <BoundCombobox name="timeZone" label={words('administration.time_zone')} required options={zones} />
        <BoundCombobox name="currency" label={words('administration.currency')} required options={currencies} />
        <BoundSwitch name="showSecondLastName" label={words('administration.second_last_name')} className="sm:col-span-2" />
        <BoundDate
          name="earliestBirthDate"
          label={words('administration.earliest_birth')}
          hint={words('administration.earliest_birth_hint')}
          min="1900-01-01"
          max="2000-01-01"
        />
        <BoundNumber
          name="quoteHours"
          label={words('administration.quote_hours')}
          hint={words('administration.quote_hours_hint', { hours: quoteHours.least })}
          min={quoteHours.least}
          max={quoteHours.most}
        />
      </Group>
      <Group title={words('administration.address')}>
        <BoundText name="address.street" label={words('administration.street')} {...textProps} />
        <BoundText name="address.zipCode" label={words('administration.zip_code')} {...textProps} />
        <BoundText name="address.city" label={words('administration.city')} {...textProps} />
        <BoundText name="address.state" label={words('administration.province')} {...textProps} />
        <BoundCombobox
          name="address.country"
          label={words('administration.address_country')}
          required
          also={byLanguage}
          options={countries}
        />
      </Group>
      <Group title={words('administration.contact')}>
        <BoundText name="contactInfo.email" label={words('administration.contact_email')} type="email" {...textProps} />
        <BoundText name="contactInfo.phone" label={words('administration.phone')} type="tel" {...textProps} />
        <BoundText name="supportEmail" label={words('administration.support_email')} type="email" {...textProps} />
        <BoundText name="billingInfo.email" label={words('administration.billing_email')} type="email" {...textProps} />
        <BoundText name="billingInfo.iban" label={words('administration.iban')} {...textProps} />
        <BoundSwitch
          name="copiesOfChanges"
          label={words('administration.copies_of_changes')}
          hint={words('administration.copies_of_changes_hint')}
          className="sm:col-span-2"
        />
      </Group>
      <Group title={words('administration.security')}>
        <BoundNumber
          name="sessionIdleHours"
          label={words('administration.idle_hours')}
          hint={words('administration.service_limit')}
          min={1}
          max={720}
        />
        <BoundNumber
          name="sessionDays"
          label={words('administration.session_days')}
          hint={words('administration.service_limit')}
          min={1}
          max={365}
        />
        <BoundSwitch name="twoFactorRequired" label={words('administration.require_two_factor')} />
      </Group>
    </>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <fieldset aria-labelledby={id} className="grid gap-(--gap) sm:grid-cols-2">
      <legend id={id} className="mb-3 font-semibold">
        {title}
      </legend>
      {children}
    </fieldset>
  )
}

function currenciesIn(tag: string) {
  const names = new Intl.DisplayNames(tag, { type: 'currency' })
  return Intl.supportedValuesOf('currency').map(value => ({ value, label: `${value} · ${names.of(value) ?? ''}` }))
}
