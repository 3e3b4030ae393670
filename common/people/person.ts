import { fullName, joinNames } from '#common/kit/text.ts'

/** The kinds of a person's document; the first is the default. */
export const documentKinds = ['national', 'passport'] as const
type DocumentKind = (typeof documentKinds)[number]

/** The kinds of facts. A document number is a text that is normalised; a day is YYYY-MM-DD, and a country an ISO number. */
type Kinds = { text: string; documentNumber: string; day: string; country: number; documentKind: DocumentKind }

/** The lines in which a person is displayed. */
export const personLines = ['name', 'birthDate', 'document', 'email', 'phone', 'address', 'residence'] as const
export type PersonLine = (typeof personLines)[number]

export type PersonKind = keyof Kinds

export type PersonErasure = 'all' | 'toDecade' | 'nothing'

type Field = {
  is: PersonKind
  /** The column of `policy_people`. */
  column: string
  /**
   * `who` identifies people (rule 9 of decision 45). The others are a policyholder's: how to reach them, the address, and facts that few sales need.
   */
  part: 'who' | 'reach' | 'address' | 'more'
  line: PersonLine
  /** The names in the form: a traveller's in the form itself, a traveller's in a row, a policyholder's, and a company's. */
  form: { traveller?: string; row?: string; holder?: string; company?: string }
  /** The documents that a new value replaces: those of the contract, or the certificate alone. */
  shown: 'contract' | 'certificate' | 'nowhere'
  /** The part that an erasure removes; all by default. `toDecade` keeps the first day of the decade. */
  erased?: PersonErasure
  /** The name in a person's copy of their data, by default the field's; null if another field contains it. */
  copied?: string | null
  /** True if the administration may correct it in all policies of a person. */
  corrected: boolean
}

/**
 * The facts of a policyholder, a traveller or a company. Schemas, columns, responses, forms, comparisons, copies and erasures derive from these rows.
 * Labels and screens do not compile without an entry for each (CONTRIBUTING, "Add a field of a person").
 */
export const personFields = {
  name: {
    is: 'text',
    column: 'name',
    part: 'who',
    line: 'name',
    form: { traveller: 'name', row: 'name', holder: 'policyHolderName' },
    shown: 'contract',
    corrected: true,
  },
  middleName: {
    is: 'text',
    column: 'middle_name',
    part: 'who',
    line: 'name',
    form: { traveller: 'middleName', row: 'middleName', holder: 'policyHolderSurname' },
    shown: 'contract',
    corrected: true,
  },
  lastName: {
    is: 'text',
    column: 'last_name',
    part: 'who',
    line: 'name',
    form: { traveller: 'lastName', row: 'lastName', holder: 'policyHolderSecondSurname' },
    shown: 'contract',
    corrected: true,
  },
  birthDate: {
    is: 'day',
    column: 'birth_date',
    part: 'who',
    line: 'birthDate',
    form: { traveller: 'birthDate', row: 'birthDate', holder: 'policyHolderBirthDate' },
    shown: 'contract',
    erased: 'toDecade',
    corrected: true,
  },
  docNumber: {
    is: 'documentNumber',
    column: 'document_number',
    part: 'who',
    line: 'document',
    form: { traveller: 'documentNumber', row: 'docNumber', holder: 'policyHolderDocumentNumber', company: 'businessNumber' },
    shown: 'contract',
    copied: 'documentNumber',
    corrected: true,
  },
  documentKind: {
    is: 'documentKind',
    column: 'document_kind',
    part: 'who',
    line: 'document',
    form: { traveller: 'documentKind', row: 'documentKind', holder: 'policyHolderDocumentKind' },
    shown: 'contract',
    erased: 'nothing',
    copied: null,
    corrected: false,
  },
  companyName: {
    is: 'text',
    column: 'company_name',
    part: 'who',
    line: 'name',
    form: { company: 'businessName' },
    shown: 'contract',
    corrected: false,
  },
  email: {
    is: 'text',
    column: 'email',
    part: 'reach',
    line: 'email',
    form: { holder: 'email', company: 'email' },
    shown: 'nowhere',
    corrected: true,
  },
  phonePrefix: {
    is: 'text',
    column: 'phone_prefix',
    part: 'reach',
    line: 'phone',
    form: { holder: 'phonePrefix', company: 'phonePrefix' },
    shown: 'nowhere',
    copied: null,
    corrected: true,
  },
  phoneNumber: {
    is: 'text',
    column: 'phone_number',
    part: 'reach',
    line: 'phone',
    form: { holder: 'phoneNumber', company: 'phoneNumber' },
    shown: 'nowhere',
    copied: 'phone',
    corrected: true,
  },
  address: {
    is: 'text',
    column: 'address',
    part: 'address',
    line: 'address',
    form: { holder: 'address', company: 'businessAddress' },
    shown: 'certificate',
    corrected: true,
  },
  zipCode: {
    is: 'text',
    column: 'zip_code',
    part: 'address',
    line: 'address',
    form: { holder: 'zipCode', company: 'businessZipCode' },
    shown: 'certificate',
    corrected: true,
  },
  city: {
    is: 'text',
    column: 'city',
    part: 'address',
    line: 'address',
    form: { holder: 'city', company: 'businessCity' },
    shown: 'certificate',
    corrected: true,
  },
  state: {
    is: 'text',
    column: 'state',
    part: 'address',
    line: 'address',
    form: { holder: 'province', company: 'businessProvince' },
    shown: 'certificate',
    corrected: true,
  },
  /** The country where the policyholder lives, whose formats apply. The default is the unit's country. */
  residenceCountryId: {
    is: 'country',
    column: 'residence_country',
    part: 'more',
    line: 'residence',
    form: { holder: 'residenceCountryId', company: 'residenceCountryId' },
    shown: 'certificate',
    copied: 'countryOfResidence',
    corrected: false,
  },
} as const satisfies Record<string, Field>

export type PersonFields = typeof personFields
export type PersonField = keyof PersonFields
type ValueOf<F extends PersonField> = Kinds[PersonFields[F]['is']]

/** The known facts of a person or a company. */
export type Party = { readonly [F in PersonField]?: ValueOf<F> | null | undefined }

/** The columns that store the facts. A person always has a kind of document. */
export type PersonColumns = {
  [F in PersonField as PersonFields[F]['column']]: PersonFields[F]['is'] extends 'documentKind' ? DocumentKind : ValueOf<F> | null
}

type Key = 'is' | 'part' | 'line' | 'shown' | 'corrected'

/** The fields whose rows have one of these values. */
export type PersonFieldsWhere<In extends Key, Value> = {
  [F in PersonField]: PersonFields[F][In] extends Value ? F : never
}[PersonField]

// Safe: these are the keys of the record.
export const personFieldNames = Object.keys(personFields) as PersonField[]

/** Returns the fields whose rows have one of these values, in their order. */
export const personFieldsWhere = <In extends Key, Value extends Field[In]>(key: In, ...values: Value[]) =>
  // Safe: the filter implements the type's condition.
  personFieldNames.filter(field => values.some(value => value === personFields[field][key])) as PersonFieldsWhere<In, Value>[]

/** Returns the part of a fact that an erasure removes. */
export const erasureOf = (field: PersonField): PersonErasure => rowOf(field).erased ?? 'all'

const rowOf = (field: PersonField): Field => personFields[field]

/** Returns a fact's name in a person's copy of their data. */
export const copiedName = (field: PersonField): string | null => {
  const { copied } = rowOf(field)
  return copied === undefined ? field : copied
}

/** Returns a record of all fields, each with the entry for its kind. */
export const byKind = <Entries extends Record<PersonKind, unknown>>(entries: Entries) =>
  // Safe: each field gets the entry for its kind.
  Object.fromEntries(personFieldNames.map(field => [field, entries[personFields[field].is]])) as {
    [F in PersonField]: Entries[PersonFields[F]['is']]
  }

/** The contact data and the address of a policyholder. */
export const contactFields = personFieldsWhere('part', 'reach', 'address', 'more')

type Text = string | null | undefined
type NameColumns = { company_name?: Text; name?: Text; middle_name?: Text; last_name?: Text }

export const fullNameOfRow = (row: NameColumns): string =>
  fullName({ companyName: row.company_name, name: row.name, middleName: row.middle_name, lastName: row.last_name })

/** Joins every name of a row, by which a person is found: a company's row may also name the person who acts for it. */
export const allNamesOfRow = (row: NameColumns): string => joinNames(row.name, row.middle_name, row.last_name, row.company_name)
