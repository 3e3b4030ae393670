import * as z from 'zod/mini'
import { coverGroups } from './cover.ts'
import { inFive } from './texts.ts'

/** The files of catalogue/tickets: one type of claim or request each, with its fields. The tickets feature validates answers by them. */

const name = z.string().check(z.regex(/^[a-z][A-Za-z0-9]{1,40}$/))
const limit = z.number().check(z.int(), z.gte(1), z.lte(4000))

/** The field is shown only if an earlier choice, or yes or no (`true`), has one of these values. */
const when = z.strictObject({ field: name, is: z.array(name).check(z.minLength(1)) })
const every = { name, label: inFive, hint: z.optional(inFive), required: z.optional(z.literal(true)), when: z.optional(when) }

const ticketField = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), ...every, maxLength: limit }),
  z.strictObject({ kind: z.literal('long'), ...every, maxLength: limit }),
  z.strictObject({
    kind: z.literal('choice'),
    ...every,
    options: z.array(z.strictObject({ value: name, label: inFive })).check(z.minLength(2)),
  }),
  z.strictObject({ kind: z.literal('date'), ...every, notAfterToday: z.optional(z.literal(true)) }),
  z.strictObject({ kind: z.literal('amount'), ...every }),
  z.strictObject({ kind: z.literal('country'), ...every }),
  z.strictObject({ kind: z.literal('flag'), ...every }),
  z.strictObject({ kind: z.literal('account'), ...every }),
])
export type TicketField = z.output<typeof ticketField>

export const fieldKinds = [
  'text',
  'long',
  'choice',
  'date',
  'amount',
  'country',
  'flag',
  'account',
] as const satisfies TicketField['kind'][]

export const ticketKinds = ['claim', 'request'] as const
export type TicketKind = (typeof ticketKinds)[number]

export const ticketType = z.strictObject({
  key: z.string().check(z.regex(/^[a-z][a-z-]{1,40}$/)),
  kind: z.enum(ticketKinds),
  order: z.number().check(z.int(), z.gte(1)),
  icon: z.string().check(z.regex(/^[a-z-]+$/)),
  name: inFive,
  description: inFive,
  /** Says if its form requires a policy. A claim always does. */
  policy: z.enum(['needed', 'optional']),
  /** True if support calls the contact, so that a telephone is required. */
  calls: z.optional(z.literal(true)),
  /** The groups of covers that this kind of claim concerns. Missing if any may be concerned. */
  covers: z.optional(z.array(z.enum(coverGroups)).check(z.minLength(1))),
  /** True if insured from the sale on, not only during the trip. */
  beforeTrip: z.optional(z.literal(true)),
  fields: z.array(ticketField),
  /** The documents to attach. */
  papers: z.array(z.strictObject({ name: inFive, needed: z.boolean() })),
})
export type TicketType = z.output<typeof ticketType>
