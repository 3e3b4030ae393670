import * as z from 'zod/mini'
import {
  copiedName,
  type PersonField,
  type PersonFields,
  type PersonFieldsWhere,
  personFieldNames,
  personFields,
  personFieldsWhere,
  type PersonKind,
  type PersonLine,
  personLines,
} from '#common/people/person.ts'
import type { PlainMessageId } from '#common/kit/words/words.ts'

/** The facts that a copy has under a name of their own. */
export type CopiedField = { [F in PersonField]: PersonFields[F] extends { copied: null } ? never : F }[PersonField]
type CopiedName<F extends PersonField> = PersonFields[F] extends { copied: infer Name extends string } ? Name : F
// Safe: the filter is the type's condition.
export const copiedFields = personFieldNames.filter(field => copiedName(field) !== null) as CopiedField[]

/** For each line, the name of the list of its spellings, and its label for a reader. */
export const copiedLines = {
  name: { list: 'names', label: 'privacy.name' },
  birthDate: { list: 'birthDates', label: 'privacy.birth_date' },
  document: { list: 'documents', label: 'privacy.document' },
  email: { list: 'emails', label: 'privacy.email' },
  phone: { list: 'phones', label: 'privacy.phone' },
  address: { list: 'addresses', label: 'documents.address' },
  residence: { list: 'countriesOfResidence', label: 'privacy.residence' },
} as const satisfies Record<PersonLine, { list: string; label: PlainMessageId }>

/** The kind of the first fact of a line: one of several facts is read as text. */
type KindOfLine<Line extends PersonLine> = PersonFields[PersonFieldsWhere<'line', Line>]['is']
export const kindOfLine = (line: PersonLine): PersonKind | undefined => personFieldsWhere('line', line).map(kindOf)[0]
const kindOf = (field: PersonField): PersonKind => personFields[field].is

const about = <T extends z.ZodMiniType>(type: T, description: string): T => type.check(z.describe(description))
const text = z.nullable(z.string())

const country = z.nullable(about(z.number(), 'ISO 3166-1, numeric. Null: that of the agency'))

// Safe: each has its copied name, and the schema of its kind.
const facts = Object.fromEntries(copiedFields.map(field => [copiedName(field), personFields[field].is === 'country' ? country : text])) as {
  [F in CopiedField as CopiedName<F>]: PersonFields[F]['is'] extends 'country' ? typeof country : typeof text
}

/** A person's own facts, as one version of a policy has them. */
const self = z.object({ version: z.int(), policyholder: z.boolean(), traveller: z.boolean(), ...facts })

const [texts, countries] = [z.array(z.string()), about(z.array(z.number()), 'ISO 3166-1, numeric')]

// Safe: each line has its copied name, and a list of its kind.
const spellings = Object.fromEntries(
  personLines.map(line => [copiedLines[line].list, kindOfLine(line) === 'country' ? countries : texts]),
) as { [L in PersonLine as (typeof copiedLines)[L]['list']]: KindOfLine<L> extends 'country' ? typeof countries : typeof texts }

const trip = z.object({
  startDate: text,
  endDate: text,
  countryOfOrigin: z.nullable(about(z.number(), 'ISO 3166-1, numeric')),
  destinations: about(z.array(z.number()), 'ISO 3166-1, numeric'),
  insuredCost: z.nullable(z.number()),
  bookedOn: text,
  reference: about(text, 'The agency’s own reference'),
})

const policy = z.object({
  kind: about(z.enum(['policy', 'quote']), 'A quote was saved, and not bought'),
  uuid: z.uuid(),
  number: text,
  product: z.string(),
  status: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  savedAt: z.string(),
  soldAt: text,
  currency: z.string(),
  price: about(z.nullable(z.number()), 'With taxes. For the policyholder'),
  otherPeople: about(z.int(), 'How many other people are in it. Their data is theirs, and not here'),
  you: about(z.array(self), 'In each version'),
  versions: z.array(z.object({ version: z.int(), trip, demandsAndNeeds: about(text, 'As stated before the sale. For the policyholder') })),
  changes: about(
    z.array(z.object({ at: z.string(), kind: z.string(), asked: z.nullable(z.record(z.string(), z.unknown())), note: text })),
    'Changes, cancellations and the like. What was asked is for the policyholder',
  ),
  withdrawals: about(z.array(z.object({ at: z.string(), name: z.string(), confirmedTo: z.string() })), 'For the policyholder'),
  blocked: about(
    z.nullable(z.object({ since: z.string(), because: z.string(), erasedOn: z.string() })),
    'Kept out of use, as the law demands, until it is erased',
  ),
})

const ticket = z.object({
  uuid: z.uuid(),
  reference: z.string(),
  kind: about(z.string(), 'claim or request'),
  status: z.string(),
  policyNumber: text,
  incidentDate: text,
  subject: z.string(),
  description: z.string(),
  contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  answers: z.array(z.object({ question: z.string(), answer: z.unknown() })),
  messages: z.array(z.object({ at: z.string(), from: z.enum(['us', 'you']), text: z.string() })),
  openedAt: z.string(),
  blocked: policy.shape.blocked,
})

export const copySchema = about(
  z.object({
    madeAt: z.string(),
    agency: z.object({ name: z.string(), taxId: z.string(), email: z.string() }),
    person: about(z.object(spellings), 'Every spelling that is kept'),
    policies: z.array(policy),
    tickets: z.array(ticket),
    emails: about(
      z.array(
        z.object({ at: z.string(), to: z.string(), subject: text, about: about(z.string(), 'The kind of email'), state: z.string() }),
      ),
      'Emails to your addresses. What they said is kept for 90 days at most',
    ),
    files: about(
      z.array(z.object({ path: z.string(), name: z.string(), kind: z.string(), of: z.uuid(), lost: z.boolean() })),
      'The files of this archive, each with the policy or ticket that it is of. The store no longer has a lost one',
    ),
  }),
  'Everything that the agency holds about you',
)

export type Copy = z.output<typeof copySchema>
export type CopiedPolicy = Copy['policies'][number]
export type CopiedTicket = Copy['tickets'][number]

/** The schema of `data.json`, as the archive has it. */
export const schemaText = (): string => `${JSON.stringify(z.toJSONSchema(copySchema), null, 2)}\n`
