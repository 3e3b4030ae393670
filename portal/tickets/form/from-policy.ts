import { fromCents } from '#common/kit/money.ts'
import { fullName } from '#common/kit/text.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import type { Filled, TicketForm } from './values.ts'

type Person = Pick<
  PolicyDetail['users'][number],
  'holder' | 'traveller' | 'name' | 'middleName' | 'lastName' | 'email' | 'phonePrefix' | 'phoneNumber'
>
/** The parts of a policy that fill a form. */
export type PolicyParts = {
  policy: Pick<PolicyDetail['policy'], 'policyUuid' | 'policyNumber'>
  trip: PolicyDetail['trip']
  users: readonly Person[]
}
type Contact = Pick<TicketForm, 'contactEmail' | 'contactPhone'>

/** Returns the form filled from another policy. Without a policy, the values of the previous one are cleared. */
export function withPolicy(form: TicketForm, detail: PolicyParts | undefined): TicketForm {
  const kept = withoutFilled(form)
  if (!detail) return { ...kept, policyUuid: null }
  // A contact belongs to one person: never the email of one and the phone of another.
  const contact = kept.contactEmail === '' && kept.contactPhone === '' ? contactOf(detail) : {}
  const answers = answersFrom(detail, kept.answers)
  const { policyUuid, policyNumber } = detail.policy
  return {
    ...kept,
    policyUuid,
    policyNumber,
    ...contact,
    answers: { ...kept.answers, ...answers },
    filled: { ...contact, ...answers },
  }
}

function withoutFilled({ filled, ...form }: TicketForm): TicketForm {
  const { contactEmail, contactPhone, answers } = form
  const { insuredPerson, incidentCountry, tripCost } = answers
  return {
    ...form,
    contactEmail: contactEmail === filled.contactEmail ? '' : contactEmail,
    contactPhone: contactPhone === filled.contactPhone ? '' : contactPhone,
    answers: {
      ...answers,
      ...(filled.insuredPerson !== undefined && insuredPerson === filled.insuredPerson ? { insuredPerson: '' } : {}),
      ...(filled.incidentCountry !== undefined && incidentCountry === filled.incidentCountry ? { incidentCountry: null } : {}),
      ...(filled.tripCost !== undefined && tripCost === filled.tripCost ? { tripCost: null } : {}),
    },
    filled: {},
  }
}

/** Returns the only traveller and the only destination, if there is just one, and the cost of the trip. */
function answersFrom(detail: PolicyParts, answers: TicketForm['answers']): Pick<Filled, 'insuredPerson' | 'incidentCountry' | 'tripCost'> {
  const { amountCents } = tripIn(detail.trip)
  const [traveller, otherTraveller] = travellersOf(detail)
  const [country, otherCountry] = countriesOf(detail)
  return {
    ...(answers['insuredPerson'] === '' && traveller && !otherTraveller ? { insuredPerson: traveller } : {}),
    ...(answers['incidentCountry'] === null && country && !otherCountry ? { incidentCountry: country } : {}),
    ...(answers['tripCost'] === null && amountCents ? { tripCost: fromCents(amountCents) } : {}),
  }
}

/** Returns the policyholder's email and phone. */
export function contactOf({ users }: PolicyParts): Contact {
  const { email, phonePrefix, phoneNumber } = users.find(({ holder }) => holder) ?? {}
  return { contactEmail: email ?? '', contactPhone: phoneNumber ? [phonePrefix, phoneNumber].filter(Boolean).join(' ') : '' }
}

/** True if the agent typed a contact of the previous policy's policyholder, and not of this one's. */
export function isContactOfAnother(form: TicketForm, before: PolicyParts, now: PolicyParts): boolean {
  const [other, own] = [contactOf(before), contactOf(now)]
  return (['contactEmail', 'contactPhone'] as const).some(name => {
    const typed = comparable(form[name])
    return typed !== '' && typed === comparable(other[name]) && typed !== comparable(own[name])
  })
}

const comparable = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase()

export const travellersOf = ({ users }: PolicyParts): string[] => users.filter(({ traveller }) => traveller).map(fullName)

const countriesOf = ({ trip }: PolicyParts): readonly number[] => tripIn(trip).destinations ?? []
