import * as z from 'zod/mini'
import { names } from '#common/kit/schemas/names.ts'
import { type CallSchemas, largestPage } from '#common/kit/call.ts'
import { fileMegabytes } from '#common/kit/files.ts'
import { lines, nothing, uploadedFile } from '#common/kit/schemas/parts.ts'
import { fieldKinds, ticketKinds } from '#common/products/tickets.ts'
import { exact, listedViews, savedView, viewName as name } from '#common/views/schemas.ts'
import { ticketStatuses } from './states.ts'
import { longest, mostFiles } from './ticket.ts'

/** Rejects control characters, which databases cannot store and screens misread. */
const line = (most: number) =>
  z.string().check(
    z.maxLength(most),
    z.refine(value => !/[\p{Cc}\p{Cs}]/u.test(value)),
  )

const kind = z.enum(ticketKinds)
const status = z.enum(ticketStatuses)
const answer = z.union([lines(4000), z.number(), z.boolean(), z.null()])
export const ticketAnswers = z.record(z.string().check(z.maxLength(60)), answer)
const fileUuids = z.optional(z.array(z.uuid()).check(z.maxLength(mostFiles)))

export const ticketTypes = {
  summary: 'Lists the types of claims and requests, in the caller’s language',
  request: z.object({}),
  response: z.array(z.object({ uuid: z.uuid(), name: z.string(), kind })),
} satisfies CallSchemas

const formField = z.object({
  name: z.string(),
  kind: z.enum(fieldKinds),
  label: z.string(),
  hint: z.nullable(z.string()),
  required: z.boolean(),
  when: z.nullable(z.object({ field: z.string(), is: z.array(z.string()) })),
  maxLength: z.nullable(z.number()),
  notAfterToday: z.boolean(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
})

export const ticketForms = {
  summary: 'Returns the fields of each ticket type, their conditions and the documents to attach',
  request: z.object({}),
  response: z.array(
    z.object({
      uuid: z.uuid(),
      key: z.string(),
      kind,
      name: z.string(),
      description: z.string(),
      icon: z.string(),
      policy: z.enum(['needed', 'optional']),
      /** True if it requires a telephone. */
      calls: z.boolean(),
      /** The codes of the unit's products that cover this kind; null for all. */
      coveredBy: z.nullable(z.array(z.string())),
      fields: z.array(formField),
      papers: z.array(z.object({ name: z.string(), needed: z.boolean() })),
    }),
  ),
} satisfies CallSchemas

export const uploadTicketFile = {
  summary: 'Uploads a file before its ticket or message; it is deleted after two days without one',
  files: { most: 1, megabytes: fileMegabytes },
  request: nothing,
  response: uploadedFile,
} satisfies CallSchemas

export const dropTicketFile = {
  summary: 'Deletes an uploaded file that belongs to no ticket yet',
  request: z.strictObject({ fileUuid: z.uuid() }),
  response: z.object({ deleted: z.boolean() }),
} satisfies CallSchemas

const asked = {
  typeUuid: z.uuid(),
  subject: line(longest.subject * 2),
  description: lines(longest.description),
  contactEmail: line(longest.contactEmail),
  /** Required by a type with `calls`. */
  contactPhone: z._default(line(60), ''),
  /** In a multipart form, this is JSON text. */
  answers: z.optional(z.union([z.string().check(z.maxLength(30_000)), ticketAnswers])),
  /** The ids of files that were uploaded before. */
  fileUuids,
}
const filed = z.object({ ticketUuid: z.uuid(), reference: z.string() })
const files = { most: mostFiles, megabytes: fileMegabytes }

export const fileClaim = {
  summary: 'Files a claim on a policy, with up to ten files; confirmed by email and forwarded to support',
  files,
  request: z.strictObject({
    ...asked,
    policyNumber: line(40),
    incidentDate: line(10),
    /** If true, an incident outside the cover is refused with the rule `cover`. Else it is filed, and marked for support. */
    refuseOutsideCover: z.optional(z.boolean()),
  }),
  response: filed,
} satisfies CallSchemas

export const fileRequest = {
  summary: 'Sends a request to customer service; confirmed by email and forwarded to support',
  files,
  request: z.strictObject({ ...asked, policyNumber: z.optional(z.nullable(line(40))) }),
  response: filed,
} satisfies CallSchemas

const ticketRow = z
  .object({
    ticketUuid: z.uuid(),
    reference: z.string(),
    kind,
    type: z.string(),
    subject: z.string(),
    status,
    createdAt: z.string(),
    updatedAt: z.string(),
    policyNumber: z.nullable(z.string()),
    messages: z.number(),
    unread: z.number(),
  })
  .register(names, { id: 'Ticket' })

export const listTickets = {
  summary: 'Lists the unit’s claims and requests by reference, subject, policy or contact; the newest first',
  request: z.strictObject({
    page: z._default(z.int().check(z.gte(1), z.lte(largestPage)), 1),
    perPage: z._default(z.int().check(z.gte(1), z.lte(100)), 10),
    kind: z.optional(z.nullable(kind)),
    status: z.optional(z.nullable(status)),
    typeUuid: z.optional(z.uuid()),
    /** True to list only tickets that the caller has filed. */
    mine: z.optional(z.boolean()),
    searchData: z.optional(z.nullable(line(200))),
  }),
  response: z.object({
    total: z.number(),
    totalPages: z.number(),
    page: z.number(),
    perPage: z.number(),
    /** `policyholder`: of the ticket’s policy, for users who see that. */
    tickets: z.array(z.extend(ticketRow, { policyholder: z.optional(z.string()) })),
  }),
} satisfies CallSchemas

export const ticketDetail = {
  summary: 'Returns a ticket with request, files and messages, and marks them as read',
  request: z.strictObject({ ticketUuid: z.uuid() }),
  response: z.object({
    ticket: ticketRow,
    /** The key of the ticket's type in the catalogue. */
    typeKey: z.string(),
    description: z.string(),
    incidentDate: z.nullable(z.string()),
    contactEmail: z.string(),
    contactPhone: z.string(),
    createdBy: z.string(),
    /** The policy whose number the ticket names. */
    policyUuid: z.nullable(z.string()),
    answers: z.array(z.object({ name: z.string(), label: z.string(), text: z.string() })),
    files: z.array(uploadedFile),
    thread: z.array(
      z.object({
        uuid: z.uuid(),
        at: z.string(),
        author: z.string(),
        support: z.boolean(),
        text: z.string(),
        files: z.array(uploadedFile),
      }),
    ),
    /** The statuses that the caller may set. */
    statuses: z.array(status),
    /** The reasons for which the incident seems to be outside the cover. */
    outsideCover: z.array(z.string()),
    /** True for a claim that support marked as filed by mistake. Changes and refunds of its policy ignore it. */
    misfiled: z.boolean(),
  }),
} satisfies CallSchemas

export const sendTicketMessage = {
  summary: 'Sends a message as support (with b2b-admin) or as the agency. The other side gets an email',
  files,
  request: z.strictObject({ uuid: z.uuid(), text: lines(longest.message), fileUuids }),
  response: z.object({ messageUuid: z.uuid(), status }),
} satisfies CallSchemas

export const setTicketStatus = {
  summary: 'Closes or reopens a ticket; support may set any status',
  request: z.strictObject({ uuid: z.uuid(), status }),
  response: z.object({ status }),
} satisfies CallSchemas

export const setMisfiled = {
  summary: 'Marks a claim as filed by mistake, or as a claim again. A policy with a claim is neither changed nor refunded',
  request: z.strictObject({ uuid: z.uuid(), misfiled: z.boolean() }),
  response: z.object({ misfiled: z.boolean() }),
} satisfies CallSchemas

export const unreadTickets = {
  summary: 'Counts the claims and requests of the last ninety days with messages unread by the caller',
  request: z.object({}),
  response: z.object({ claim: z.number(), request: z.number() }),
} satisfies CallSchemas

const list = z.enum(ticketKinds)

const params = z.strictObject({
  status: z.optional(z.enum(ticketStatuses)),
  topic: z.optional(z.uuid()),
  by: z.optional(z.literal('me')),
})

export const ticketViews = {
  summary: 'Returns the user’s saved views of claims or requests, and how many tickets each view finds, also the built-in ones',
  request: z.strictObject({ list, exact }),
  response: listedViews({ params }),
} satisfies CallSchemas

export const saveTicketView = {
  summary: 'Saves a view of claims or requests under a name, in place of an own one of that name; the limit is that of all lists',
  request: z.strictObject({ list, name, params }),
  response: savedView,
} satisfies CallSchemas

export { deleteView as deleteTicketView } from '#common/views/schemas.ts'
