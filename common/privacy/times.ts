import { addDays, addYears } from '#common/kit/dates.ts'

/**
 * How long personal data is kept, by the country of the agency (ISO 3166, numeric). These are defaults of the product, which a lawyer must confirm
 * for each installation. Spain: the insurance register gives ten days without a contract (RG11), contract law five years, trade and tax books six.
 */
type Times = {
  /** A saved quote's people, after its price has ended. */
  budgetDays: number
  /** A sold policy's data from its last day: in use, then blocked, both counted from that day. */
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

/** Tickets, from their last event: in use, then blocked. */
export const ticketActiveMonths = 6
export const ticketBlockedYears = 5
/** The content of an email, from its sending. */
export const mailDays = 90
/** Networks and browsers in the audit, and its details. */
export const networkYears = 1
export const auditYears = 6
/** The reasons of requests about data, from their answer, and of holds, from their end. */
export const reasonYears = 3

/** The day on which the blocked data of a policy is erased. */
export const policyErased = (lastDay: string, country: number): string => addDays(addYears(lastDay, timesOf(country).policyBlockedYears), 1)

/** The times as the record of processing says them: Spain, other countries, and those that keep their books longer. */
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
