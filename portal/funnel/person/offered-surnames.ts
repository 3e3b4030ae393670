import { type ComponentProps, useState } from 'react'
import type { BoundText } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { fillFields } from '../known/fill.ts'
import { insuredNames, type PeopleForm, type PersonNames, policyholderNames } from '../people-form.ts'

type FieldProps = Pick<Partial<ComponentProps<typeof BoundText>>, 'onFocus' | 'onKeyDown' | 'onChanged'>

/**
 * Returns the props of a traveller's surname, which offers those of the first traveller or policyholder. The down arrow puts them into the empty
 * field. They are read on focus, so that typing them renders no other row.
 */
export function useOfferedSurnames(
  form: RulesForm<PeopleForm>,
  names: PersonNames,
  field: FieldProps,
): FieldProps & { placeholder: string } {
  const [offered, setOffered] = useState('')
  return {
    ...field,
    placeholder: offered && `${offered} ↓`,
    onFocus(event) {
      setOffered(surnamesFor(form, names)[0])
      field.onFocus?.(event)
    },
    onKeyDown(event) {
      if (event.key !== 'ArrowDown' || event.altKey || event.currentTarget.value !== '' || !offered) return field.onKeyDown?.(event)
      event.preventDefault()
      takeSurnames(form, names)
    },
  }
}

/** Fills in the offered surnames. A second surname that is already there is kept. */
export function takeSurnames(form: RulesForm<PeopleForm>, names: PersonNames): void {
  const [first, second] = surnamesFor(form, names)
  fillFields(form, [
    [names.middleName, first],
    [names.lastName, form.getValues(names.lastName) || second],
  ])
}

/** Returns the surnames for these fields: none for the policyholder, and none if the form has no policyholder's. */
export function surnamesFor(form: RulesForm<PeopleForm>, { middleName }: PersonNames): [first: string, second: string] {
  const holders = form.getValues('policyHolderType') === '2' ? [policyholderNames] : []
  const sources = {
    [policyholderNames.middleName]: [],
    [insuredNames.middleName]: holders,
  }[middleName] ?? [insuredNames, ...holders]
  const source = sources.find(names => form.getValues(names.middleName) !== '')
  return source ? [form.getValues(source.middleName), form.getValues(source.lastName)] : ['', '']
}
