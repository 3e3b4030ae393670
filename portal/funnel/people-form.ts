import type { ExtraTraveller, Step2 } from '#common/policies/step2.ts'
import type { PolicyHolderTypeId } from '#common/policies/types.ts'
import { policyHolderTypes } from '#common/policies/types.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import type { TripForm } from './store.ts'

const textNames = [
  'name',
  'middleName',
  'lastName',
  'birthDate',
  'documentNumber',
  'email',
  'phonePrefix',
  'phoneNumber',
  'province',
  'city',
  'address',
  'zipCode',
  'policyHolderName',
  'policyHolderSurname',
  'policyHolderSecondSurname',
  'policyHolderDocumentNumber',
  'policyHolderBirthDate',
  'businessName',
  'businessNumber',
  'businessProvince',
  'businessCity',
  'businessAddress',
  'businessZipCode',
  'insuranceData',
] as const

export type Row = { name: string; middleName: string; lastName: string; birthDate: string; docNumber: string }

/** Step 2 as its fields hold it: every text of spec 3, filled or empty. The type is a text, as radio buttons have it. */
export type PeopleForm = Record<(typeof textNames)[number], string> & { policyHolderType: string; extraTravellers: Row[] }

/** The form's names for a person's fields (spec 3). */
export type PersonNames = { name: string; middleName: string; lastName: string; birthDate: string; documentNumber: string }

export const insured: PersonNames = {
  name: 'name',
  middleName: 'middleName',
  lastName: 'lastName',
  birthDate: 'birthDate',
  documentNumber: 'documentNumber',
}
export const holder: PersonNames = {
  name: 'policyHolderName',
  middleName: 'policyHolderSurname',
  lastName: 'policyHolderSecondSurname',
  birthDate: 'policyHolderBirthDate',
  documentNumber: 'policyHolderDocumentNumber',
}

/** The form's names for the fields of an address (spec 3). */
export type PlaceNames = {
  province: 'province' | 'businessProvince'
  city: 'city' | 'businessCity'
  address: string
  zipCode: 'zipCode' | 'businessZipCode'
}

export const ownPlace: PlaceNames = { province: 'province', city: 'city', address: 'address', zipCode: 'zipCode' }
export const businessPlace: PlaceNames = {
  province: 'businessProvince',
  city: 'businessCity',
  address: 'businessAddress',
  zipCode: 'businessZipCode',
}

export const emptyRow: Row = { name: '', middleName: '', lastName: '', birthDate: '', docNumber: '' }

export const isBlank = (row: Row): boolean => Object.values(row).every(text => text.trim() === '')

/** More than a birth date, which step 1 may have told. */
export const isNamed = (row: Row): boolean => !isBlank({ ...row, birthDate: '' })

/** spec 4: rows are added or trimmed to match the number of travellers. */
const rowsFor = (rows: readonly Row[], travelers: number): Row[] =>
  Array.from({ length: Math.max(0, travelers - 1) }, (_, place) => ({ ...emptyRow, ...rows[place] }))

/** After several were filled in at once: what was found missing is there now. */
export function judgeAgain(form: Pick<RulesForm<PeopleForm>, 'getFieldState' | 'trigger'>): void {
  if (form.getFieldState('extraTravellers').invalid) void form.trigger('extraTravellers')
}

type Kept = Step2 & { insuranceData?: string | null }

/** What was typed before, or nothing. The birth dates of step 1 are those of here: whatever was typed last stands in both. */
export function peopleForm(kept: Kept | undefined, trip: TripForm): PeopleForm {
  const texts = Object.fromEntries(textNames.map(name => [name, kept?.[name] ?? '']))
  const dates = trip.birthDates.map(row => row.date)
  const rows = rowsFor((kept?.extraTravellers ?? []).map(rowOf), Number(trip.travelers)).map((row, place) => ({
    ...row,
    birthDate: dates[place + 1] || row.birthDate,
  }))
  const form = {
    ...(texts as Record<(typeof textNames)[number], string>),
    policyHolderType: String(kept?.policyHolderType.id ?? 1),
    extraTravellers: rows,
  }
  return { ...form, birthDate: dates[0] || form.birthDate }
}

const rowOf = (row: ExtraTraveller): Row => ({
  name: row.name ?? '',
  middleName: row.middleName ?? '',
  lastName: row.lastName ?? '',
  birthDate: row.birthDate ?? '',
  docNumber: row.docNumber ?? '',
})

/** As the rules of common and the register call read it. */
export function step2Of({ policyHolderType, ...form }: PeopleForm): Step2 & { insuranceData: string } {
  const type = policyHolderTypes.find(({ id }) => String(id) === policyHolderType)
  return { ...form, policyHolderType: { id: (type?.id ?? 0) as PolicyHolderTypeId, name: type?.name ?? '' } }
}

/** Who is known so far: whom step 2 was told of, as old as step 1 says. */
export const peopleSoFar = (people: Kept | undefined, trip: TripForm): Kept =>
  people || trip.birthDates.some(({ date }) => date) ? step2Of(peopleForm(people, trip)) : nobody

const nobody: Kept = { policyHolderType: { id: 1 } }

/** The birth dates of those who travel, the first of whom is the one of the form itself. */
export const birthDatesOf = (people: Step2 | undefined): TripForm['birthDates'] =>
  people ? [people, ...(people.extraTravellers ?? [])].map(({ birthDate }) => ({ date: birthDate ?? '' })) : []

/** The same trip where nothing about who travels has changed. */
export function withTravellers(trip: TripForm, birthDates: TripForm['birthDates']): TripForm {
  const isSame =
    birthDates.length === trip.birthDates.length && birthDates.every(({ date }, place) => date === trip.birthDates[place]?.date)
  return isSame && trip.travelers === birthDates.length ? trip : { ...trip, travelers: birthDates.length, birthDates }
}
