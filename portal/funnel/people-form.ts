import type { Problem } from '#common/kit/problems.ts'
import { fullName } from '#common/kit/text.ts'
import { type PersonField, type PersonFields, personFields, type PersonFieldsWhere, personFieldsWhere } from '#common/people/person.ts'
import {
  companyFields,
  type ExtraTraveller,
  type Fields,
  type FormFields,
  holderFields,
  namesIn,
  peopleOf,
  type RowFields,
  rowFields,
  type Step2,
  type TravellerFields,
  travellerFields,
} from '#common/policies/step2.ts'
import { type PolicyHolderTypeId, policyHolderTypes } from '#common/policies/people.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import type { TripForm } from './store.ts'

type NamesOf<Value> = { [name in keyof FormFields]: FormFields[name] extends Value ? name : never }[keyof FormFields]

type TextsOfForm = NamesOf<string> | 'confirmedZipCode' | 'insuranceData'

export type Row = { [name in keyof RowFields]: string }

/**
 * The form of step 2: every text of spec 3, filled or empty, and the doubtful postal code that was confirmed. A country is null until it is chosen:
 * its field then shows the unit's, which the sale states. Radio buttons store the type as text.
 */
export type PeopleForm = Record<TextsOfForm, string> &
  Record<NamesOf<number>, number | null> & {
    policyHolderType: string
    /** A document of the policyholder. It has no uuid until it is uploaded. */
    uploadFile: { uuid: string | null; name: string; size: number; mediaType: string } | null
    extraTravellers: Row[]
  }

/** The names of the form's text fields. */
export type TextName = TextsOfForm | `extraTravellers.${number}.${keyof Row}`

/** The form's names for a person's fields (spec 3). */
export type PersonNames = Record<keyof TravellerFields, TextName>

/** Returns the names of one part of the form by those of another. */
const namesBy = (keys: Fields, names: Fields) => Object.fromEntries(namesIn(keys).map(([field, key]) => [key, names[field]]))

// Safe: a policyholder has all fields of a traveller.
export const insuredNames = namesBy(travellerFields, travellerFields) as PersonNames
// Safe: as above.
export const policyholderNames = namesBy(travellerFields, holderFields) as PersonNames

/** The form's names for the fields of an address (spec 3). */
export type AddressNames = {
  [F in PersonFieldsWhere<'part', 'address'> as PersonFields[F]['form']['holder']]: PersonFields[F]['form']['holder' | 'company']
}

const ofAddress: Fields = Object.fromEntries(personFieldsWhere('part', 'address').map(field => [field, holderFields[field]]))
// Safe: people and companies have the fields of an address.
export const ownAddress = namesBy(ofAddress, holderFields) as AddressNames
// Safe: as above.
export const businessAddress = namesBy(ofAddress, companyFields) as AddressNames

/** Returns the first traveller, whose fields are in the form itself, as a row. */
export const firstTraveller = (form: PeopleForm): Row =>
  // Safe: the form has these names.
  formRow(Object.fromEntries(namesIn(rowFields).map(([field, name]) => [name, form[travellerFields[field] as keyof TravellerFields]])))

const formRow = (row: ExtraTraveller): Row =>
  // Safe: these are the names of a row.
  Object.fromEntries(namesIn(rowFields).map(([field, name]) => [name, row[name as keyof Row] || emptyIn(field)])) as Row

/** Returns the value of a field without input. */
function emptyIn(field: PersonField): string | null {
  const { is } = personFields[field]
  return is === 'country' ? null : is === 'documentKind' ? 'national' : ''
}

export const emptyRow = formRow({})

/** A kind of document without a number does not count. */
export const isBlank = (row: Row): boolean => Object.values({ ...row, documentKind: '' }).every(text => text.trim() === '')

/** True if a row has more than a birth date, which may come from step 1. */
export const isNamed = (row: Row): boolean => !isBlank({ ...row, birthDate: '' })

/** spec 4: rows are added or trimmed to match the number of travellers. */
const rowsFor = (rows: readonly Row[], travelers: number): Row[] =>
  Array.from({ length: Math.max(0, travelers - 1) }, (_, index) => ({ ...emptyRow, ...rows[index] }))

/** Validates the travellers again if they have errors, after several fields were filled at once. */
export function revalidateTravellers(form: Pick<RulesForm<PeopleForm>, 'getFieldState' | 'trigger'>): void {
  if (form.getFieldState('extraTravellers').invalid) void form.trigger('extraTravellers')
}

type StoredPeople = Step2 & {
  insuranceData?: string | null
  confirmedZipCode?: string | null
  uploadFile?: PeopleForm['uploadFile']
}

/** Returns the form with the stored people, or empty. Both steps share the birth dates: the ones typed last apply to both. */
export function peopleForm(stored: StoredPeople | undefined, trip: TripForm): PeopleForm {
  const dates = trip.birthDates.map(row => row.date)
  const rows = rowsFor((stored?.extraTravellers ?? []).map(formRow), Number(trip.travelers)).map((row, index) => ({
    ...row,
    birthDate: dates[index + 1] || row.birthDate,
  }))
  const form = {
    // Safe: the values are those of the form's names.
    ...(Object.fromEntries(
      [travellerFields, holderFields, companyFields]
        .flatMap(namesIn)
        // Safe: as above.
        .map(([field, name]) => [name, stored?.[name as keyof FormFields] || emptyIn(field)]),
    ) as Pick<PeopleForm, keyof FormFields>),
    confirmedZipCode: stored?.confirmedZipCode ?? '',
    insuranceData: stored?.insuranceData ?? '',
    uploadFile: stored?.uploadFile ?? null,
    policyHolderType: String(stored?.policyHolderType.id ?? 1),
    extraTravellers: rows,
  }
  return { ...form, birthDate: dates[0] || form.birthDate }
}

/** Returns the form in the format of the rules and the register call. */
export function step2Of({
  policyHolderType,
  ...form
}: PeopleForm): Step2 & Pick<PeopleForm, 'insuranceData' | 'confirmedZipCode' | 'uploadFile'> {
  const type = policyHolderTypes.find(({ id }) => String(id) === policyHolderType)
  // Safe: the rules refuse the id 0 of an unknown type.
  return { ...form, policyHolderType: { id: (type?.id ?? 0) as PolicyHolderTypeId, name: type?.name ?? '' } }
}

/** A document that is still being uploaded, or was refused, cannot be part of the sale. */
export const documentProblems = ({ uploadFile }: PeopleForm): Problem[] =>
  uploadFile && uploadFile.uuid === null ? [{ path: 'uploadFile', rule: 'files', key: 'upload.unfinished' }] : []

/** Returns the people known so far: those of step 2, with the birth dates of step 1. */
export const peopleSoFar = (people: StoredPeople | undefined, trip: TripForm): StoredPeople =>
  people || trip.birthDates.some(({ date }) => date) ? step2Of(peopleForm(people, trip)) : emptyPeople

/** Returns the policyholder's name so far, or an empty text. */
export function policyholderName(people: StoredPeople | undefined, trip: TripForm): string {
  const [policyholder] = people ? peopleOf(people, Number(trip.travelers)).users : []
  return fullName(policyholder)
}

/** The hash with which step 2 shows what is wrong in it, and focuses the first such field. */
export const problemsHash = 'problems'

const emptyPeople: StoredPeople = { policyHolderType: { id: 1 } }

/** Returns the birth dates of all travellers. The first traveller is in the form itself. */
export const birthDatesOf = (people: Step2 | undefined): TripForm['birthDates'] =>
  people ? [people, ...(people.extraTravellers ?? [])].map(({ birthDate }) => ({ date: birthDate ?? '' })) : []

/** Returns the trip with these travellers: the same object if nothing changed. */
export function withTravellers(trip: TripForm, birthDates: TripForm['birthDates']): TripForm {
  // A trip without birth dates equals one whose birth dates are all unknown.
  const isSame =
    (birthDates.length === trip.birthDates.length || trip.birthDates.length === 0) &&
    birthDates.every(({ date }, index) => date === (trip.birthDates[index]?.date ?? ''))
  return isSame && trip.travelers === birthDates.length ? trip : { ...trip, travelers: birthDates.length, birthDates }
}

/** Returns `rows`, padded with empty ones to the length of `others`. A removed row must be emptied in the form. */
export const sameRows = (rows: TripForm['birthDates'], others: TripForm['birthDates']): TripForm['birthDates'] =>
  Array.from({ length: Math.max(rows.length, others.length) }, (_, index) => ({ date: rows[index]?.date ?? '' }))

const known: PersonNames[] = [insuredNames]

/** Returns the form's names for the traveller at an index, from 0. The first traveller is in the form itself. */
export function namesAt(place: number): PersonNames {
  const path = (name: keyof Row) => `extraTravellers.${place - 1}.${name}` as const
  return (known[place] ??= {
    name: path('name'),
    middleName: path('middleName'),
    lastName: path('lastName'),
    birthDate: path('birthDate'),
    documentNumber: path('docNumber'),
    documentKind: path('documentKind'),
  })
}

/** Returns the row of extra travellers that has this field; undefined for several fields. */
export function rowOf([name, ...others]: readonly string[]): number | undefined {
  const row = others.length === 0 ? /^extraTravellers\.(\d+)\./.exec(name ?? '')?.[1] : undefined
  return row === undefined ? undefined : Number(row)
}
