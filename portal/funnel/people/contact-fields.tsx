import type { ReactNode } from 'react'
import { dialledAfter, splitPhone } from '#common/kit/typed/phones.ts'
import type { PersonFieldsWhere } from '#common/people/person.ts'
import { dialledFrom } from '#common/kit/validators/contacts.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { later } from '#portal/kit/page/later.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { residenceOf } from '../guard.ts'
import { businessAddress, ownAddress, type PeopleForm } from '../people-form.ts'

type Props = { form: RulesForm<PeopleForm>; country: number }

/** The policyholder's email and phone, for every type of policyholder. */
export function ContactFields({ form, country }: Props) {
  const { words } = useWords()
  const inputs: Record<PersonFieldsWhere<'part', 'reach'>, ReactNode> = {
    email: <BoundText label={words('funnel.email')} name="email" type="email" required autoComplete="off" inputMode="email" />,
    phonePrefix: (
      <BoundText
        label={words('funnel.phonePrefix')}
        name="phonePrefix"
        type="tel"
        placeholder={dialledFrom(country)}
        also={['phoneNumber']}
        optional={false}
        autoComplete="off"
        tidy={text => tidyPrefix(form, text, dialledFrom(country))}
      />
    ),
    phoneNumber: (
      <BoundText
        label={words('funnel.phoneNumber')}
        name="phoneNumber"
        type="tel"
        also={['phonePrefix']}
        required
        autoComplete="off"
        tidy={text => tidyPhone(form, text, dialledFrom(country))}
      />
    ),
  }
  return (
    <>
      {inputs.email}
      <div className="people-phone">
        {inputs.phonePrefix}
        {inputs.phoneNumber}
      </div>
    </>
  )
}

const [DocumentField] = later(
  async () => {
    const [{ DocumentField }] = await Promise.all([import('../document/document-field.tsx'), loadMessages('upload')])
    return DocumentField
  },
  <div className="h-36" />,
)

/** Fields that few sales need: another country of residence, the agency's reference, and a document of the policyholder. */
export function RareFields({ form, country }: Props) {
  const { words } = useWords()
  const { countriesList } = useUnit().configuration
  const inputs: Record<PersonFieldsWhere<'part', 'more'>, ReactNode> = {
    residenceCountryId: (
      <Bound<number | null> key="residence" name="residenceCountryId" label={words('funnel.residence')}>
        {({ onChange: _onChange, ...bound }) => (
          <Combobox
            {...bound}
            label={words('funnel.residence')}
            clearable={false}
            options={countriesList.map(({ id, name, alpha2 }) => ({ value: id, label: name, detail: alpha2 }))}
            value={country}
            onChange={id => moveTo(form, id)}
          />
        )}
      </Bound>
    ),
  }
  return (
    <div className="grid items-start gap-2.5 md:grid-cols-2">
      {Object.values(inputs)}
      <BoundText
        label={words('funnel.insuranceData')}
        name="insuranceData"
        hint={words('funnel.insuranceData_hint')}
        maxLength={100}
        autoComplete="off"
      />
      <div className="md:col-span-2">
        <DocumentField form={form} />
      </div>
    </div>
  )
}

/** Moves the calling code of a phone to its own field, by default the country's code. Returns the number. */
function tidyPhone(form: RulesForm<PeopleForm>, text: string, countryCode = ''): string {
  const typedCode = form.getValues('phonePrefix')
  const { code, number } = splitPhone(text, typedCode || countryCode)
  const codeNow = code || typedCode || (number && countryCode)
  if (codeNow !== typedCode) form.setValue('phonePrefix', codeNow, { shouldDirty: true, shouldValidate: true })
  return ungrouped(dialledAfter(codeNow, number))
}

/** Moves the number to its own field if the whole phone was typed here and that field is empty. Returns the calling code. */
function tidyPrefix(form: RulesForm<PeopleForm>, text: string, countryCode = ''): string {
  if (form.getValues('phoneNumber').trim() !== '') return text
  const { code, number } = splitPhone(text, countryCode)
  // No calling code has more than four digits.
  const isNumberOnly = code === '' && !/^(?:\+|00)/.test(number) && number.replaceAll(/\D/g, '').length > 4
  if (code === '' && !isNumberOnly) return text
  form.setValue('phoneNumber', ungrouped(dialledAfter(code || countryCode, number)), {
    shouldDirty: true,
    shouldTouch: true,
    shouldValidate: true,
  })
  return code || countryCode
}

/** Changes the residence, whose formats then apply and whose provinces are listed. */
function moveTo(form: RulesForm<PeopleForm>, residenceCountryId: number | null): void {
  const before = residenceOf(form.getValues())
  form.setValue('residenceCountryId', residenceCountryId, { shouldDirty: true, shouldValidate: true })
  if (residenceCountryId === before) return
  const address = [ownAddress, businessAddress].flatMap(({ province, city, zipCode }) => [province, city, zipCode])
  for (const name of address) form.setValue(name, '')
  // The errors on the screen are those of the former country.
  const documents = ['documentNumber', 'policyHolderDocumentNumber', 'businessNumber', 'phoneNumber'] as const
  const checked = [
    ...address.filter(name => form.getFieldState(name).invalid),
    ...documents.filter(name => form.getFieldState(name).isTouched),
  ]
  if (checked.length > 0) void form.trigger(checked)
}
