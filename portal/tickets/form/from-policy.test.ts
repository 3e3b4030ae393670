import { expect, test } from 'vitest'
import { isContactOfAnother, type PolicyParts, withPolicy } from './from-policy.ts'
import { emptyForm, type TicketForm } from './values.ts'

const person = { name: '', holder: false, traveller: true, middleName: '', lastName: '', email: '', phonePrefix: '', phoneNumber: '' }
const marta = { ...person, holder: true, name: 'Marta', email: 'marta@example.es', phonePrefix: '+34', phoneNumber: '600111222' }
const manuel = { ...person, holder: true, name: 'Manuel', email: 'manuel@example.es', phonePrefix: '+34', phoneNumber: '600333444' }
const policyOf = (holder: typeof person, { travellers = 1, destinations = '380' } = {}): PolicyParts => ({
  policy: { policyUuid: `of ${holder.name}`, policyNumber: `1-${holder.name}` },
  trip: { countriesDestinationId: destinations },
  users: [holder, ...Array.from({ length: travellers - 1 }, () => ({ ...person, name: 'Eva' }))],
})

const claim: TicketForm = { ...emptyForm, answers: { insuredPerson: '', incidentCountry: null } }
const contactIn = ({ contactEmail, contactPhone }: TicketForm) => [contactEmail, contactPhone]

test('a policy fills contact, traveller and country, and another policy replaces them', () => {
  const ofMarta = withPolicy(claim, policyOf(marta))
  expect(contactIn(ofMarta)).toEqual(['marta@example.es', '+34 600111222'])
  expect(ofMarta.answers).toEqual({ insuredPerson: 'Marta', incidentCountry: 380 })
  const ofManuel = withPolicy(ofMarta, policyOf(manuel, { destinations: '250' }))
  expect(ofManuel).toMatchObject({ policyUuid: 'of Manuel', policyNumber: '1-Manuel' })
  expect(contactIn(ofManuel)).toEqual(['manuel@example.es', '+34 600333444'])
  expect(ofManuel.answers).toEqual({ insuredPerson: 'Manuel', incidentCountry: 250 })
})

test('without its policy a form has none of its values', () => {
  const { policyUuid, filled, ...form } = withPolicy(withPolicy(claim, policyOf(marta)), undefined)
  expect([policyUuid, filled, contactIn({ ...form, policyUuid, filled }), form.answers]).toEqual([null, {}, ['', ''], claim.answers])
})

test('several travellers or destinations are left to choose', () => {
  const { answers } = withPolicy(withPolicy(claim, policyOf(marta)), policyOf(manuel, { travellers: 2, destinations: '250,380' }))
  expect(answers).toEqual(claim.answers)
})

test('typed values are kept, and a contact never mixes two people', () => {
  const typed = { ...claim, contactEmail: 'agent@azahar.example', answers: { insuredPerson: 'Leo', incidentCountry: 724 } }
  const ofMarta = withPolicy(typed, policyOf(marta))
  expect(contactIn(ofMarta)).toEqual(['agent@azahar.example', ''])
  expect(ofMarta.answers).toEqual(typed.answers)
  const changed = { ...withPolicy(claim, policyOf(marta)), contactEmail: 'agent@azahar.example' }
  expect(contactIn(withPolicy(changed, policyOf(manuel)))).toEqual(['agent@azahar.example', ''])
})

test('the cost of the trip is filled in, and leaves with its policy', () => {
  const asked = { ...claim, answers: { ...claim.answers, tripCost: null } }
  const costing = (insurancedAmount: number | null) => ({ ...policyOf(marta), trip: { countriesDestinationId: '380', insurancedAmount } })
  const filled = withPolicy(asked, costing(3400))
  expect(filled.answers['tripCost']).toBe(3400)
  expect(withPolicy(filled, costing(null)).answers['tripCost']).toBeNull()
  const typed = { ...filled, answers: { ...filled.answers, tripCost: 3000 } }
  expect(withPolicy(typed, costing(null)).answers['tripCost']).toBe(3000)
})

test('a request gets only fields that its type has', () => {
  expect(withPolicy(emptyForm, policyOf(marta)).answers).toEqual({})
})

test.each([
  ['its email', { contactEmail: 'MARTA@example.es' }, true],
  ['its phone', { contactPhone: '+34600111222' }, true],
  ['another', { contactEmail: 'agent@azahar.example' }, false],
  ['none', {}, false],
])('a typed contact of the previous policyholder is noticed: %s', (_, contact, expected) => {
  expect(isContactOfAnother({ ...claim, ...contact }, policyOf(marta), policyOf(manuel))).toBe(expected)
  expect(isContactOfAnother({ ...claim, ...contact }, policyOf(marta), policyOf(marta))).toBe(false)
})
