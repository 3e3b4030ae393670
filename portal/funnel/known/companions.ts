import { ageOn, displayDate, readDate } from '#common/kit/dates.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { joinNames, searchable } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import type { Party } from '#common/people/person.ts'
import type { knownCompanions } from '#common/policies/people-calls.ts'
import type { Imported } from '../import/target.ts'
import { emptyRow, firstTraveller, isNamed, type PeopleForm, type Row } from '../people-form.ts'

/** A person who travelled with the policyholder before. */
export type Companion = ResponseOf<typeof knownCompanions>['people'][number]

/** Returns the companions who are not among these travellers, by document, or by name and birth date. */
export function companionsLeft(companions: readonly Companion[], users: readonly Omit<Party, 'documentKind'>[]): Companion[] {
  const documents = new Set(users.map(({ docNumber }) => documentNumberSent(docNumber)))
  const named = new Set(users.map(user => keyOf({ ...user, birthDate: readDate(user.birthDate) })))
  return companions.filter(companion => !documents.has(companion.docNumber || ' ') && !named.has(keyOf(companion)))
}

const keyOf = ({
  name,
  middleName,
  lastName,
  birthDate,
}: { [part in 'name' | 'middleName' | 'lastName' | 'birthDate']?: string | null | undefined }) =>
  `${searchable(joinNames(middleName, lastName, name))} ${birthDate ?? ''}`

/** The ages of step 1 on that day, by the traveller's index. */
type Ages = { given: readonly (number | null)[]; startDate: string | undefined }

/**
 * Returns the travellers with these companions in unnamed rows, and in more rows up to the limit. The row with the companion's birth date or age of
 * step 1 comes first.
 */
export function withCompanions(form: PeopleForm, companions: readonly Companion[], most: number, { given, startDate }: Ages): Imported {
  const holder = firstTraveller(form)
  const all: Row[] = [holder, ...form.extraTravellers.map(row => ({ ...row }))]
  const put = new Set<number>()
  // A companion who was just added may still be offered.
  for (const companion of companionsLeft(companions, all)) {
    const row = rowOf(companion)
    const free = all.flatMap((each, place) => (isNamed(each) || (place === 0 && form.policyHolderType === '1') ? [] : [place]))
    const age = companion.birthDate && startDate ? ageOn(companion.birthDate, startDate) : undefined
    const undated = free.filter(place => all[place]?.birthDate === '')
    const place =
      free.find(at => row.birthDate !== '' && all[at]?.birthDate === row.birthDate) ??
      undated.find(at => age !== undefined && given[at] === age) ??
      undated[0] ??
      (all.length < most ? all.length : undefined)
    if (place === undefined) continue
    all[place] = row
    put.add(place)
  }
  const [first = holder, ...rows] = all
  return { first: put.has(0) ? first : {}, rows, count: put.size }
}

const rowOf = ({ name, middleName, lastName, birthDate, docNumber, documentKind }: Companion): Row => ({
  ...emptyRow,
  name,
  middleName,
  lastName,
  birthDate: displayDate(birthDate) ?? '',
  docNumber,
  documentKind,
})
