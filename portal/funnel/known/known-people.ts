import { useEffect, useState } from 'react'
import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { displayDate } from '#common/kit/dates.ts'
import { personFields, personFieldsWhere } from '#common/people/person.ts'
import { knownPeople } from '#common/policies/people-calls.ts'
import { leastSearched } from '#common/policies/search.ts'
import { ask } from '#portal/kit/ask.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { logOnly } from '#portal/kit/log.ts'
import type { AddressNames, PeopleForm, PersonNames, TextName } from '../people-form.ts'

export type Role = RequestSentOf<typeof knownPeople>['as']
export type KnownPerson = ResponseOf<typeof knownPeople>['people'][number]

const debounceMs = 250

/** Returns the people who match a search, once typing pauses. A failed or superseded request returns none, so it never interrupts typing. */
export function useKnownPeople(role: Role, search: { by: 'document' | 'name'; text: string } | undefined): KnownPerson[] {
  const [result, setResult] = useState<{ by: string; people: KnownPerson[] }>({ by: '', people: [] })
  const text = search?.text.trim().slice(0, 100) ?? ''
  const by = search?.by ?? 'name'
  const searchKey = text.length < leastSearched ? '' : `${role} ${by} ${text}`
  useEffect(() => {
    if (searchKey === '') return
    const superseded = new AbortController()
    const timer = setTimeout(() => {
      ask(knownPeople, { search: text, by, as: role }, { signal: superseded.signal }).then(
        ({ people }) => setResult({ by: searchKey, people }),
        (error: unknown) => superseded.signal.aborted || logOnly('looking for people')(error),
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      superseded.abort()
    }
  }, [searchKey, text, by, role])
  return searchKey !== '' && result.by === searchKey ? result.people : []
}

type Values = readonly (readonly [name: TextName, value: string])[]

/** Fills the fields of these names from a known person. Fields of unknown facts stay unchanged. */
export function fillPerson(form: RulesForm<PeopleForm>, names: PersonNames, person: KnownPerson): void {
  fillFields(
    form,
    personFieldsWhere('part', 'who').flatMap((field): Values => {
      const { form: own } = personFields[field]
      return 'traveller' in own ? [[names[own.traveller], displayDate(person[field]) ?? person[field] ?? '']] : []
    }),
  )
}

/** Fills the email, phone and address of the policyholder. Each stays unchanged if any of its fields has text. */
export function fillContact(form: RulesForm<PeopleForm>, names: AddressNames, person: KnownPerson): void {
  const reach = personFieldsWhere('part', 'reach')
  for (const line of new Set(reach.map(field => personFields[field].line))) {
    const fields = reach.filter(field => personFields[field].line === line)
    fillIfEmpty(
      form,
      fields.map(field => [personFields[field].form.holder, person[field]]),
    )
  }
  const isAddressEmpty = fillIfEmpty(
    form,
    personFieldsWhere('part', 'address').map(field => [names[personFields[field].form.holder], person[field]]),
  )
  if (!isAddressEmpty) return
  for (const field of personFieldsWhere('part', 'more'))
    form.setValue(personFields[field].form.holder, person[field], { shouldDirty: true, shouldValidate: true })
}

/** Returns true if the fields were empty. */
function fillIfEmpty(form: RulesForm<PeopleForm>, values: Values): boolean {
  const isEmpty = values.every(([name]) => form.getValues(name) === '')
  if (isEmpty) fillFields(form, values)
  return isEmpty
}

export function fillFields(form: RulesForm<PeopleForm>, values: Values): void {
  const known = values.filter(([, value]) => value)
  for (const [name, value] of known) form.setValue(name, value, { shouldDirty: true, shouldTouch: true })
  void form.trigger(known.map(([name]) => name))
}
