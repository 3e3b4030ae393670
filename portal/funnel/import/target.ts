import { parseDate } from '#common/kit/dates.ts'
import { searchable } from '#common/kit/text.ts'
import type { ImportedRow } from '#common/policies/import/cells.ts'
import type { User } from '#common/policies/people.ts'
import { peopleOf } from '#common/policies/step2.ts'
import type { Rating } from '#common/quotes/rating/price.ts'
import { isSamePerson } from '#common/quotes/paste-people/person.ts'
import { firstTraveller, isBlank, isNamed, type PeopleForm, type Row, step2Of } from '../people-form.ts'
import type { Draft, ImportMode, Item } from './draft.ts'

/** The facts with which a form is filled: its names, limits and price. */
export type TargetSettings = {
  hasSecondLastName: boolean
  maxTravellers: number
  currency: string
  /** Returns the trip's price for travellers with these birth dates, by default those of the form. */
  rate: (birthDates?: readonly string[]) => Rating
}

/** The form into which a list is imported, as it was when the dialog opened. */
export type Target = TargetSettings & {
  residence: number | null
  /** The form's first traveller is the policyholder, unless that is another person or a company. */
  role: 'policyholder' | 'traveller'
  first: Row
  rows: readonly Row[]
  /** The same people in the format of calls: a policyholder who does not travel, the first traveller, and the rows. */
  users: { others: readonly User[]; first: readonly User[]; rows: readonly User[] }
}

export function targetIn(form: PeopleForm, settings: TargetSettings): Target {
  const rows = form.extraTravellers
  const { users } = peopleOf(step2Of(form), rows.length + 1)
  const own = users.length - rows.length
  return {
    ...settings,
    residence: form.residenceCountryId,
    role: form.policyHolderType === '1' ? 'policyholder' : 'traveller',
    first: firstTraveller(form),
    rows: rows.map(row => ({ ...row })),
    users: {
      others: users.slice(0, own - 1).filter(({ companyName }) => !companyName),
      first: users.slice(own - 1, own),
      rows: users.slice(own),
    },
  }
}

/** The result of an import: the first traveller's fields in the list, and all rows. */
export type Imported = { first: Partial<Row>; rows: Row[]; count: number }

export function importedFrom({ items, firstRow }: Draft, target: Target, mode: ImportMode): Imported {
  const first = items.find(({ sourceRow }) => sourceRow === firstRow)
  const listed = items.filter(item => item !== first).map(({ row }) => row)
  return { first: first ? firstValues(first.row) : {}, rows: [...keptRows(target, mode), ...listed], count: items.length }
}

/** Returns the rows of the form that are kept beside the list. */
const keptRows = ({ rows }: Target, mode: ImportMode): Row[] => (mode === 'after' ? rows.filter(row => !isBlank(row)) : [])

/** Returns all travellers' birth dates after the import, the first traveller's first; empty if invalid. */
export function birthDatesAfter(draft: Draft, target: Target, mode: ImportMode): string[] {
  const { first, rows } = importedFrom(draft, target, mode)
  return [{ ...target.first, ...first }, ...rows].map(({ birthDate }) => (parseDate(birthDate) ? birthDate : ''))
}

/** Returns the row that is or could be the form's first traveller: the typed person's, else the first. */
export const firstCandidate = ({ items, firstRow }: Draft, { first }: Target): Item | undefined =>
  items.find(({ sourceRow }) => sourceRow === firstRow) ?? items.find(({ row }) => isSameTraveller(first, row)) ?? items[0]

/**
 * Returns the row that is the form's first traveller by default. A list of all travellers includes them. A typed person is not replaced, and a list
 * of one traveller less than the trip has only the others.
 */
export function firstRowOf({ items }: Draft, { first, rows }: Target): number | undefined {
  if (isNamed(first)) return items.find(({ row }) => isSameTraveller(first, row))?.sourceRow
  return rows.some(isNamed) || items.length === rows.length ? undefined : items[0]?.sourceRow
}

const namesOf = ({ name, middleName, lastName }: Row) => ({ name, middleName, lastName })

/** True for the same document, or the same name without a different date or document. */
function isSameTraveller(typed: Row, listed: ImportedRow): boolean {
  if (!isNamed(typed)) return false
  const differs = (key: 'birthDate' | 'docNumber') => typed[key] !== '' && listed[key] !== '' && plain(typed[key]) !== plain(listed[key])
  const hasDocument = typed.docNumber !== '' && plain(typed.docNumber) === plain(listed.docNumber)
  return hasDocument || (isSamePerson(namesOf(typed), namesOf(listed)) && !differs('birthDate') && !differs('docNumber'))
}

/** Returns the first traveller's typed values that a row would replace. The same value in another spelling does not count. */
export function replacedBy(row: ImportedRow, { first }: Target): string[] {
  const filled = firstValues(row)
  return (['name', 'middleName', 'lastName', 'birthDate', 'docNumber'] as const).flatMap(key => {
    const [typed, listed] = [first[key], filled[key]]
    return typed === '' || listed === undefined || plain(typed) === plain(listed) ? [] : [typed]
  })
}

/** Returns the first traveller's fields that a row fills. Fields missing in the list stay as typed. */
function firstValues({ name, middleName, lastName, birthDate, docNumber, documentKind }: ImportedRow): Partial<Row> {
  return {
    ...(name ? { name } : {}),
    // A new name replaces both surnames, so that no second surname of another person is left.
    ...(middleName ? { middleName, lastName } : {}),
    ...(birthDate ? { birthDate } : {}),
    ...(docNumber ? { docNumber, documentKind } : {}),
  }
}

const plain = (text: string): string => searchable(text).replaceAll(/[ .-]/g, '')
