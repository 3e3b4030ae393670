import { displayDate } from '#common/kit/dates.ts'
import { fullName, searchable } from '#common/kit/text.ts'
import { splitPhone } from '#common/kit/typed/phones.ts'
import { isSamePerson, type PersonFields, type PersonFound } from '#common/quotes/paste-people/person.ts'
import type { PastedField } from '#common/quotes/paste/paste.ts'
import { emptyRow, isNamed, type PeopleForm, type Row } from '../people-form.ts'

/**
 * A pasted person's name, their other facts, or the doubtful ones of these, and the traveller whom it is for: 0 is the first. `typed`: other values
 * already there.
 */
export type PastedPart = {
  key: string
  traveller: number
  part: 'name' | 'facts' | 'doubts'
  value: PersonFields
  at: PersonFound['at']
  isSure: boolean
  typed: string[]
}

const nameKeys = ['name', 'middleName', 'lastName'] as const
const factKeys = ['birthDate', 'docNumber', 'email', 'phone'] as const

const namesOf = ({ name, middleName, lastName }: Row): PersonFields => ({ name, middleName, lastName })

/** Returns the parts that pasted people can fill. Each goes to the traveller of that name, else to the next without a name. */
export function partsOf(people: readonly PersonFound[], form: PeopleForm, hasSecondLastName: boolean): PastedPart[] {
  const rows = [rowOf(form), ...form.extraTravellers]
  const taken = new Set<number>()
  return people.flatMap(({ value: given, at, isSure, doubts }, index) => {
    const person = hasSecondLastName ? given : withOneSurname(given)
    const same = rows.findIndex((row, place) => !taken.has(place) && isNamed(row) && isSamePerson(namesOf(row), person))
    const free = rows.findIndex((row, place) => !taken.has(place) && !isNamed(row))
    const traveller = same >= 0 ? same : free >= 0 ? free : Math.max(rows.length, ...[...taken].map(place => place + 1))
    taken.add(traveller)
    const part = (name: PastedPart['part'], keys: readonly (keyof PersonFields)[], isPartSure: boolean): PastedPart[] => {
      const value = Object.fromEntries(keys.flatMap(key => (person[key] === undefined ? [] : [[key, person[key]]])))
      if (Object.keys(value).length === 0) return []
      // The form's address and telephone belong to the policyholder.
      const typed = typedIn(valuesOf(form, rows[traveller] ?? emptyRow, traveller), value)
      return [{ key: `${name} ${index}`, traveller, part: name, value, at, isSure: isPartSure, typed }]
    }
    const facts = [...(traveller === 0 ? factKeys : factKeys.slice(0, 2)), 'documentKind' as const]
    const isDoubtful = (key: keyof PersonFields) => doubts.includes(key)
    return [
      ...part('name', nameKeys, isSure),
      ...part(
        'facts',
        facts.filter(key => !isDoubtful(key)),
        true,
      ),
      ...part('doubts', facts.filter(isDoubtful), false),
    ].filter(({ value }) => Object.keys(value).join() !== 'documentKind')
  })
}

/**
 * Returns the names of all typed people if a text names people, but none of them: it is another client's booking. Empty if it names any of them, as
 * it then adds facts about them.
 */
export function othersTyped(people: readonly PersonFound[], form: PeopleForm, hasSecondLastName: boolean): string[] {
  const { policyHolderName: name, policyHolderSurname: middleName, policyHolderSecondSurname: lastName, businessName } = form
  const typed = [rowOf(form), ...form.extraTravellers, { ...emptyRow, name, middleName, lastName }].filter(isNamed)
  const named = people.filter(({ value, isSure }) => isSure && (value.name || value.middleName))
  const isKnown = named.some(({ value }) =>
    typed.some(row => isSamePerson(namesOf(row), hasSecondLastName ? value : withOneSurname(value))),
  )
  return named.length === 0 || isKnown ? [] : [...typed.map(fullName), businessName].filter(Boolean)
}

/** Puts both surnames into one, for units that use only one. */
function withOneSurname({ middleName, lastName, ...person }: PersonFields): PersonFields {
  const surnames = [middleName, lastName].filter(Boolean).join(' ')
  return surnames ? { ...person, middleName: surnames } : person
}

const rowOf = ({ name, middleName, lastName, birthDate, documentNumber, documentKind }: PeopleForm): Row => ({
  name,
  middleName,
  lastName,
  birthDate,
  docNumber: documentNumber,
  documentKind,
})

const valuesOf = (form: PeopleForm, row: Row, traveller: number): PersonFields => ({
  ...namesOf(row),
  birthDate: row.birthDate,
  docNumber: row.docNumber,
  ...(traveller === 0 ? { email: form.email, phone: `${form.phonePrefix}${form.phoneNumber}` } : {}),
})

/** Returns the values that a part would replace. The same value in another spelling does not count. */
const typedIn = (current: PersonFields, value: PersonFields): string[] =>
  [...nameKeys, ...factKeys].flatMap(key => {
    const [typed, pasted] = [current[key] ?? '', key === 'birthDate' ? displayDate(value[key]) : value[key]]
    return pasted === undefined || typed === '' || tidy(typed) === tidy(pasted) ? [] : [typed]
  })

const tidy = (text: string): string => searchable(text).replaceAll(/[ .-]/g, '')

/** Returns how many travellers with a name a pasted number of travellers leaves out. */
export function droppedBy({ field, value }: PastedField, form: PeopleForm): number {
  const named = [rowOf(form), ...form.extraTravellers].findLastIndex(isNamed) + 1
  return field === 'travelers' && named > value ? named - value : 0
}

/** Returns the form with the chosen parts, and a row for each of their travellers. */
export function withPeople(form: PeopleForm, chosen: readonly PastedPart[]): PeopleForm {
  const last = Math.max(0, ...chosen.map(({ traveller }) => traveller))
  const extraTravellers = Array.from({ length: Math.max(form.extraTravellers.length, last) }, (_, index) => ({
    ...emptyRow,
    ...form.extraTravellers[index],
    ...Object.assign({}, ...chosen.filter(({ traveller }) => traveller === index + 1).map(({ value }) => filledRow(value))),
  }))
  const first = chosen.filter(({ traveller }) => traveller === 0).map(({ value }) => filledFirst(value))
  return { ...form, ...Object.assign({}, ...first), extraTravellers }
}

function filledRow({ name, middleName, lastName, birthDate, docNumber, documentKind = 'national' }: PersonFields): Partial<Row> {
  // A new name replaces both surnames, so that no second surname of another person is left.
  const surnames = middleName === undefined ? {} : { middleName, lastName: lastName ?? '' }
  return {
    ...(name === undefined ? {} : { name }),
    ...surnames,
    ...(birthDate === undefined ? {} : { birthDate: displayDate(birthDate) ?? '' }),
    ...(docNumber === undefined ? {} : { docNumber, documentKind }),
  }
}

function filledFirst(value: PersonFields): Partial<PeopleForm> {
  const { docNumber, ...row } = filledRow(value)
  return {
    ...row,
    ...(docNumber === undefined ? {} : { documentNumber: docNumber }),
    ...(value.email === undefined ? {} : { email: value.email }),
    ...(value.phone === undefined ? {} : phoneOf(value.phone)),
  }
}

/** Returns a telephone in the form's format. Without a prefix, the form's own is kept. */
function phoneOf(phone: string): Partial<PeopleForm> {
  const { code, number } = splitPhone(phone)
  return code === '' ? { phoneNumber: number } : { phonePrefix: code, phoneNumber: number }
}
