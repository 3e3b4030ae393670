import * as z from 'zod/mini'
import { date as day, monthInReach } from '#common/kit/schemas/parts.ts'
import { optionalText, pages, paging, reason, unitName } from '#common/administration/schemas/parts.ts'
import { type PersonFieldsWhere, personFieldsWhere } from '#common/people/person.ts'
import { user } from '#common/policies/schemas/person.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { dataClasses } from './classes.ts'

/** The money that a correction moves in a policy. */
const moved = z.object({
  uuid: z.uuid(),
  currency: z.string(),
  difference: z.number(),
  refund: z.number(),
  commission: z.number(),
  /** The payments that are refunded. */
  routes: z.array(z.object({ gateway: z.string(), paymentUuid: z.nullable(z.uuid()), amount: z.number() })),
  /** The part of the refund that no payment can take back. It goes to review. */
  withoutWay: z.number(),
})

/** The version of each policy that a correction changes, and its money. If they differ, the shown correction no longer applies. */
const shown = z.object({ versions: z.array(z.object({ uuid: z.uuid(), version: z.int() })), money: z.array(moved) })

/** The reasons for which data about a person is erased, blocked, kept, refused, copied or corrected. */
const becauses = [
  'no_contract',
  'law',
  'in_force',
  'open_claim',
  'open_money',
  'held',
  'blocked_already',
  'asked',
  'right_already',
  'not_sold',
  'over',
  'price',
  'rules',
] as const

const fact = z.optional(optionalText(254))
/** The encrypted facts of a person who was found. It reveals and proves nothing, and only the service can read it. */
const personKey = z.string().check(z.minLength(1), z.maxLength(8000))
/** The person, the guardian of a minor, or a representative authorised by the person. */
const askedBy = z.enum(['person', 'guardian', 'representative'])
/** The day on which the request came, from which the time limit counts. The default is today; at most 60 days ago. */
const receivedOn = z.optional(day)

const place = z.object({
  kind: z.enum(['budget', 'policy', 'ticket']),
  uuid: z.uuid(),
  /** The number of the policy or ticket; null for a saved quote. */
  number: z.nullable(z.string()),
  /** The last day of the trip; null for a ticket. */
  until: z.nullable(day),
  blocked: z.boolean(),
})

type Corrected = PersonFieldsWhere<'corrected', true>

const corrected = z.pick(
  user,
  // Safe: the keys are those of the type.
  Object.fromEntries(personFieldsWhere('corrected', true).map(field => [field, true])) as { [F in Corrected]: true },
)

const factName = z.keyof(corrected)

export const findPersons = {
  summary: 'Finds persons by at least two of name, document, email and birth date, in all agencies or one',
  request: z.strictObject({ businessUnitUuid: z.optional(z.uuid()), name: fact, docNumber: fact, email: fact, birthDate: z.optional(day) }),
  response: z.object({
    persons: z.array(
      z.object({
        personKey,
        businessUnit: unitName,
        /** Null for a person who only occurs in blocked data. */
        name: z.nullable(z.string()),
        birthDate: z.nullable(day),
        docNumber: z.nullable(z.string()),
        emails: z.array(z.string()),
        where: z.array(
          z.extend(place, {
            /** The hold that prevents its erasure; null if there is none. */
            hold: z.nullable(z.object({ uuid: z.uuid(), until: day })),
            /** The day on which blocked data is erased; null for data in use. */
            erasedOn: z.nullable(day),
          }),
        ),
        mails: z.int(),
        /** The correctable facts, as in the newest policy; null for a person who only occurs in blocked data. */
        facts: z.nullable(z.partialRecord(factName, z.string())),
      }),
    ),
    /** True if more persons match than are shown. */
    more: z.boolean(),
  }),
} satisfies CallSchemas

/** The effect on one record about a person, and its reason. */
const item = z.object({
  ...place.shape,
  outcome: z.enum(['erased', 'blocked', 'kept', 'refused', 'copied', 'mended', 'unchanged']),
  /** The day on which it will be erased; null if that is now, or unknown. */
  erasedOn: z.nullable(day),
  because: z.enum(becauses),
  /** The reason of a hold, or the rule that refuses a correction. */
  note: z.nullable(z.string()),
})
const outcome = z.object({ items: z.array(item), /** Emails to the person that are about none of these. */ mails: z.int() })

export const previewErasure = {
  summary: 'Explains item by item what an erasure would erase now, block, keep or refuse',
  request: z.strictObject({ personKey }),
  response: z.extend(outcome, { /** Copies that the person asked for and has not downloaded: an erasure deletes them. */ copies: z.int() }),
} satisfies CallSchemas

export const erasePerson = {
  summary: 'Erases a person’s data, or blocks it where the law demands that it is kept, and records the answer',
  request: z.strictObject({ personKey, askedBy, receivedOn, reason }),
  response: z.extend(outcome, { requestUuid: z.uuid() }),
} satisfies CallSchemas

export const objectForPerson = {
  summary: 'Blocks a person’s data because they object to its use',
  request: z.strictObject({ personKey, askedBy, receivedOn, what: reason }),
  response: z.extend(outcome, { requestUuid: z.uuid() }),
} satisfies CallSchemas

export const restrictPerson = {
  summary: 'Blocks a person’s data because they ask for its restriction',
  request: z.strictObject({ personKey, askedBy, receivedOn, reason }),
  response: z.extend(outcome, { requestUuid: z.uuid() }),
} satisfies CallSchemas

export const exportPerson = {
  summary: 'Has a copy of a person’s data made, and a link to it mailed to one of their known addresses',
  request: z.strictObject({ personKey, askedBy, receivedOn, reason, email: z.string().check(z.minLength(1), z.maxLength(254)) }),
  response: z.object({ requestUuid: z.uuid() }),
} satisfies CallSchemas

export const openCopy = {
  summary: 'Returns a person’s copy of their data as a ZIP file, once: this spends its link',
  perMinute: 10,
  request: z.strictObject({ token: z.string() }),
  response: z.unknown(),
} satisfies CallSchemas

const corrections = z.extend(outcome, { money: z.array(moved) })

export const previewRectification = {
  summary: 'Says what a correction would do to each policy and its money, or refuses it at its fields',
  request: z.strictObject({ personKey, fields: corrected }),
  response: z.extend(corrections, shown.shape),
} satisfies CallSchemas

export const rectifyPerson = {
  summary:
    'Corrects a person’s facts in each running policy by a change of it, as its preview says. A fact that the rules refuse is refused at its field before anything is done',
  request: z.strictObject({
    personKey,
    askedBy,
    receivedOn,
    reason,
    fields: corrected,
    /** As the preview returned it. If it no longer applies, nothing is done, and the refusal has the new preview. */
    expected: shown,
  }),
  response: z.extend(corrections, { requestUuid: z.uuid() }),
} satisfies CallSchemas

const personRequest = z.object({
  uuid: z.uuid(),
  businessUnit: unitName,
  kind: z.enum(['export', 'erase', 'object', 'restrict', 'rectify']),
  askedBy,
  /** The time at which it was recorded, and the day on which it came. */
  at: z.string(),
  receivedOn: day,
  /** One month after that day; later if extended. */
  dueOn: day,
  extension: z.nullable(z.string()),
  doneAt: z.nullable(z.string()),
  /** The reason for which it was closed without another answer; null if it is open or was answered in full. */
  closing: z.nullable(z.string()),
  reason: z.string(),
  outcome: z.nullable(outcome),
  /** The copy of the person's data made by a request, until it is deleted. */
  copy: z.nullable(z.object({ expiresAt: z.string(), spentAt: z.nullable(z.string()) })),
  /** True if it has a written answer. */
  letter: z.boolean(),
})

export const listPersonRequests = {
  summary: 'Lists the requests of persons about their data, the open ones by their last day',
  request: z.strictObject({ ...paging, businessUnitUuid: z.optional(z.uuid()), state: z._default(z.enum(['open', 'done', 'all']), 'all') }),
  response: z.object({ ...pages, requests: z.array(personRequest) }),
} satisfies CallSchemas

export const personLetter = {
  summary: 'Returns the letter that answers a request, as a PDF file. It has no name',
  request: z.strictObject({ uuid: z.uuid() }),
  response: z.unknown(),
} satisfies CallSchemas

export const extendPersonRequest = {
  summary: 'Extends the time for the answer to a request by up to two months, once, for a reason',
  request: z.strictObject({ uuid: z.uuid(), months: z.int().check(z.gte(1), z.lte(2)), reason }),
  response: personRequest,
} satisfies CallSchemas

export const closePersonRequest = {
  summary: 'Closes an open request without another answer, for a reason',
  request: z.strictObject({ uuid: z.uuid(), reason }),
  response: personRequest,
} satisfies CallSchemas

const held = z.strictObject({ kind: z.enum(['policy', 'ticket']), uuid: z.uuid() })
const hold = z.object({
  uuid: z.uuid(),
  businessUnit: unitName,
  kind: held.shape.kind,
  objectUuid: z.uuid(),
  number: z.nullable(z.string()),
  until: day,
  reason: z.string(),
  by: z.string(),
  at: z.string(),
})

export const holdData = {
  summary: 'Holds a policy or ticket until a day: nothing of it is blocked or erased before',
  request: z.extend(held, { until: day, reason }),
  response: hold,
} satisfies CallSchemas

export const listHolds = {
  summary: 'Lists the holds that are in force',
  request: z.strictObject({ ...paging, businessUnitUuid: z.optional(z.uuid()) }),
  response: z.object({ ...pages, holds: z.array(hold) }),
} satisfies CallSchemas

export const liftHold = {
  summary: 'Lifts a hold',
  request: z.strictObject({ uuid: z.uuid(), reason }),
  response: z.object({ lifted: z.literal(true) }),
} satisfies CallSchemas

export const openBlocked = {
  summary: 'Opens the blocked data of one policy or ticket, for a reason; every look is audited',
  request: z.extend(held, { reason }),
  response: z.object({
    businessUnit: unitName,
    cause: z.enum(['age', 'erasure', 'objection', 'restriction']),
    blockedAt: z.string(),
    until: day,
    /** The facts of a policy that stay in use; null for a ticket. */
    policy: z.nullable(
      z.object({ number: z.string(), product: z.string(), startDate: day, endDate: day, currency: z.string(), total: z.number() }),
    ),
    content: z.record(z.string(), z.unknown()),
  }),
} satisfies CallSchemas

const counted = z.object({ businessUnit: unitName, class: z.string(), what: z.enum(['blocked', 'erased']), objects: z.int() })

export const retentionCertificate = {
  summary: 'Certifies what the retention blocked and erased in a month, by agency and class',
  request: z.strictObject({ month: monthInReach }),
  response: z.object({
    month: z.string(),
    /** The nights of the month on which the retention finished. */
    nights: z.int(),
    counts: z.array(counted),
    /** The number of audit entries from which networks or details were removed. */
    audit: z.int(),
  }),
} satisfies CallSchemas

export const retentionDue = {
  summary: 'Counts what the next night would block and erase, without doing it',
  request: z.strictObject({}),
  response: z.object({ counts: z.array(counted) }),
} satisfies CallSchemas

export const processingRecord = {
  summary: 'Returns the record of processing: each class of personal data, where it is held, and how long',
  request: z.strictObject({}),
  response: z.object({
    classes: z.array(
      z.object({
        class: z.enum(dataClasses),
        tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
        /** Kinds of stored files. */
        files: z.array(z.string()),
      }),
    ),
    times: z.object({
      spainDays: z.int(),
      budgetDays: z.int(),
      policyYears: z.int(),
      blockedYears: z.int(),
      longYears: z.int(),
      ticketMonths: z.int(),
      ticketYears: z.int(),
      mailDays: z.int(),
      networkYears: z.int(),
      auditYears: z.int(),
      reasonYears: z.int(),
    }),
  }),
} satisfies CallSchemas
