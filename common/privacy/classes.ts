import { addDays, addYears } from '#common/kit/dates.ts'

/** The classes of personal data. Each has a purpose, people, and a retention period (docs/privacy.md). */
export const dataClasses = [
  'quote',
  'policy',
  'ticket',
  'mail',
  'blocked',
  'copy',
  'bordereau',
  'report',
  'view',
  'user',
  'agency',
  'session',
  'audit',
  'job',
  'reply',
] as const
export type DataClass = (typeof dataClasses)[number]

/** Returns a class's name in message ids, which call emails messages. */
export const classInWords = (name: DataClass): string => (name === 'mail' ? 'message' : name)

/**
 * The retention periods of personal data, by the agency's country (ISO 3166, numeric). These defaults of the product must be confirmed by a lawyer
 * for each installation. Spain: the insurance register gives ten days without a contract (RG11), contract law five years, trade and tax books six.
 */
type Times = {
  /** The days for the people of a saved quote, after its price has ended. */
  budgetDays: number
  /** The years for a sold policy's data: in use, then blocked, both counted from its last day. */
  policyActiveYears: number
  policyBlockedYears: number
}

const [spain, italy, france, portugal, germany] = [724, 380, 250, 620, 276]
const tenYears = new Set([italy, france, portugal])

export const timesOf = (country: number): Times => ({
  budgetDays: country === spain ? 10 : 90,
  policyActiveYears: 1,
  policyBlockedYears: tenYears.has(country) ? 10 : 6,
})

/** The months for tickets, from their last event: in use, then blocked. */
export const ticketActiveMonths = 6
export const ticketBlockedYears = 5
/** The days for the content of an email, from its sending. */
export const mailDays = 90
/** The years for networks and browsers in the audit, and its details. */
export const networkYears = 1
export const auditYears = 6
/** The years for a client's answer to a link of quotes: that cover was offered can be proved for so long. */
export const answerYears = 2
/** The years for which a reason is kept: a data request's from its answer, a hold's from its end. */
export const reasonYears = 3

/** Returns the day on which the blocked data of a policy is erased. */
export const policyErased = (lastDay: string, country: number): string => addDays(addYears(lastDay, timesOf(country).policyBlockedYears), 1)

/** The periods in the record of processing: for Spain, for other countries, and for those that keep their books longer. */
export const recordTimes = {
  spainDays: timesOf(spain).budgetDays,
  budgetDays: timesOf(germany).budgetDays,
  policyYears: timesOf(spain).policyActiveYears,
  blockedYears: timesOf(spain).policyBlockedYears,
  longYears: timesOf(italy).policyBlockedYears,
  ticketMonths: ticketActiveMonths,
  ticketYears: ticketBlockedYears,
  mailDays,
  networkYears,
  auditYears,
  reasonYears,
}
