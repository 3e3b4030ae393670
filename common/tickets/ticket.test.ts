import { describe, expect, test } from 'vitest'
import { holdsCardNumber } from '#common/kit/validators/cards.ts'
import { type Answers, answerProblems, visibleFields, type FieldOfForm } from './answers.ts'
import { statusAfterMessage, statusesFor } from './states.ts'
import { type Insured, outsideCover, ticketProblems, ticketReference, type TicketRequest } from './ticket.ts'

const settings = { today: '2026-11-20', isCountry: (id: number) => id === 724 }
const fields: FieldOfForm[] = [
  { name: 'event', kind: 'choice', required: true, options: [{ value: 'lost' }, { value: 'stolen' }] },
  { name: 'police', kind: 'text', required: true, maxLength: 5, when: { field: 'event', is: ['stolen'] } },
  { name: 'officer', kind: 'text', when: { field: 'police', is: ['x'] } },
  { name: 'on', kind: 'date', notAfterToday: true },
  { name: 'from', kind: 'date' },
  { name: 'cost', kind: 'amount' },
  { name: 'country', kind: 'country' },
  { name: 'insured', kind: 'flag' },
  { name: 'insurer', kind: 'long', required: true, when: { field: 'insured', is: ['true'] } },
  { name: 'bank', kind: 'account' },
]
const problemsOf = (answers: Answers) => answerProblems(fields, answers, settings).map(({ path, rule }) => `${path} ${rule}`)

test('a dependent field is shown for its answer only', () => {
  const names = (answers: Answers) => visibleFields(fields, answers).map(({ name }) => name)
  expect(names({})).not.toContain('police')
  expect(names({ event: 'stolen' })).toContain('police')
  expect(names({ event: 'lost', police: 'x' })).not.toContain('officer')
  expect(names({ event: 'stolen', police: 'x' })).toContain('officer')
  expect(names({ insured: true })).toContain('insurer')
})

describe('answers', () => {
  test.each<[Answers, string[]]>([
    [{}, ['answers.event required']],
    [{ event: 'lost' }, []],
    [{ event: 'lost', police: null, officer: '' }, []],
    [{ event: 'burnt' }, ['answers.event choice']],
    [{ event: 'stolen' }, ['answers.police required']],
    [{ event: 'stolen', police: '  ' }, ['answers.police required']],
    [{ event: 'stolen', police: 'ñandú' }, []],
    [{ event: 'stolen', police: '123456' }, ['answers.police maxLength']],
    [{ event: 'stolen', police: 5 }, ['answers.police type']],
    [{ event: 'lost', police: '12' }, ['answers.police unknown']],
    [{ event: 'lost', price: 0 }, ['answers.price unknown']],
    [{ event: 'lost', ['__proto__x']: 1 }, ['answers.__proto__x unknown']],
    [{ event: 'lost', on: '2026-11-20', from: '2027-01-01' }, []],
    [{ event: 'lost', on: '2026-11-21' }, ['answers.on notAfterToday']],
    [{ event: 'lost', on: '31/12/2025' }, ['answers.on date']],
    [{ event: 'lost', cost: 0 }, []],
    [{ event: 'lost', cost: 19.99 }, []],
    [{ event: 'lost', cost: 1.005 }, ['answers.cost amount']],
    [{ event: 'lost', cost: -1 }, ['answers.cost amount']],
    [{ event: 'lost', cost: '5' }, ['answers.cost amount']],
    [{ event: 'lost', cost: Number.POSITIVE_INFINITY }, ['answers.cost amount']],
    [{ event: 'lost', country: 724, insured: false }, []],
    [{ event: 'lost', country: 1 }, ['answers.country country']],
    [{ event: 'lost', insured: true }, ['answers.insurer required']],
    [{ event: 'lost', insured: 'true' }, ['answers.insured type', 'answers.insurer required']],
    [{ event: 'lost', bank: 'ES91 2100 0418 4502 0005 1332' }, []],
    [{ event: 'lost', bank: 'ES91 2100 0418 4502 0005 1333' }, ['answers.bank account']],
  ])('%j', (answers, expected) => expect(problemsOf(answers)).toEqual(expected))
})

const claim: TicketRequest = {
  policyNumber: '1000000-A',
  incidentDate: '2026-11-20',
  subject: 'Maleta',
  description: 'Se perdió.',
  contactEmail: 'ana@example.es',
  contactPhone: '+34 612 34 56 78',
  answers: undefined,
}

describe('a ticket', () => {
  const type = { kind: 'claim' as const, policy: 'needed' as const, fields }
  const problemsOf = (changes: Partial<TicketRequest>, of: { kind: 'claim' | 'request'; policy: 'needed' | 'optional' } = type) =>
    ticketProblems({ ...type, ...of }, { ...claim, ...changes }, settings).map(({ path, rule }) => `${path} ${rule}`)

  test.each<[Partial<TicketRequest>, string[]]>([
    [{}, []],
    [{ answers: {} }, ['answers.event required']],
    [{ policyNumber: '' }, ['policyNumber required']],
    [{ incidentDate: '2026-11-21' }, ['incidentDate notAfterToday']],
    [{ incidentDate: '20/11/2026' }, ['incidentDate date']],
    [{ incidentDate: '' }, ['incidentDate required']],
    [{ subject: ' \u200b' }, ['subject required']],
    [{ subject: 'x'.repeat(151) }, ['subject maxLength']],
    [{ description: `Paid with 4242 4242 4242 4242` }, ['description cardNumber']],
    [{ contactEmail: 'ana@example.es, eva@example.es' }, ['contactEmail email']],
    [{ contactPhone: '12' }, ['contactPhone validPhone']],
    [{ contactPhone: 'call me' }, ['contactPhone validPhone']],
  ])('%j', (changes, expected) => expect(problemsOf(changes)).toEqual(expected))

  test('a telephone is required only by a type whose contact support calls', () => {
    const missing = { ...claim, contactPhone: '' }
    expect(problemsOf({ contactPhone: '' })).toEqual([])
    expect(ticketProblems({ ...type, calls: true }, missing, settings).map(({ path, rule }) => [path, rule])).toEqual([
      ['contactPhone', 'required'],
    ])
    expect(ticketProblems({ ...type, calls: true }, claim, settings)).toEqual([])
  })

  test('a request needs no date, and a policy only if its form does', () => {
    const request = { kind: 'request', policy: 'needed' } as const
    expect(problemsOf({ policyNumber: '', incidentDate: '' }, request)).toEqual([])
    expect(problemsOf({ policyNumber: '', incidentDate: '', answers: { event: 'lost' } }, request)).toEqual(['policyNumber required'])
  })
})

test.each([
  ['4242424242424242', true],
  ['my card 4242-4242-4242-4242.', true],
  ['378282246310005', true],
  ['4222222222222', true],
  ['ticket 0752123456789', false],
  ['2202123456784', false],
  ['ES9121000418450200051332', false],
  ['+34 612 345 678', false],
])('%s contains a card number: %s', (text, expected) => expect(holdsCardNumber(text)).toBe(expected))

test('a reference shows its kind and reveals errors', () => {
  expect(ticketReference('claim', 0)).toMatch(/^C100000-[A-Y]$/)
  expect(ticketReference('request', 41)).toMatch(/^R100041-[A-Y]$/)
})

test('support sets any status; the agency only closes or reopens', () => {
  expect(statusesFor('support', 'open')).toEqual(['in_progress', 'answered', 'closed'])
  expect(statusesFor('agency', 'answered')).toEqual(['closed'])
  expect(statusesFor('agency', 'closed')).toEqual(['open'])
  expect([statusAfterMessage('agency'), statusAfterMessage('support')]).toEqual(['open', 'answered'])
})

const insured: Insured = { groups: ['medical', 'luggage'], soldOn: '2026-10-01', startDate: '2026-11-10', endDate: '2026-11-20' }
const dates = { path: 'incidentDate', rule: 'cover', key: 'tickets.outside_dates' }

test.each([
  ['2026-11-10', true],
  ['2026-11-20', true],
  ['2026-11-09', false],
  ['2026-11-21', false],
])('an incident on %s is within the trip: %s', (incidentDate, isWithin) => {
  const period = { ...dates, params: { from: '10/11/2026', to: '20/11/2026' } }
  expect(outsideCover({}, incidentDate, insured)).toEqual(isWithin ? [] : [period])
})

test.each([
  ['2026-10-01', true],
  ['2026-09-30', false],
  ['2026-11-21', false],
])('a cause to cancel on %s is covered, from the sale on: %s', (incidentDate, isWithin) => {
  const period = { ...dates, params: { from: '01/10/2026', to: '20/11/2026' } }
  expect(outsideCover({ beforeTrip: true }, incidentDate, insured)).toEqual(isWithin ? [] : [period])
})

test('a claim of a kind that the policy does not cover is outside the cover', () => {
  expect(outsideCover({ covers: ['cancellation'] }, '2026-11-10', insured)).toEqual([
    { path: 'typeUuid', rule: 'cover', key: 'tickets.outside_kind' },
  ])
  expect(outsideCover({ covers: ['delay', 'luggage'] }, '2026-11-10', insured)).toEqual([])
})

test('a claim’s kind is accepted if covers have no codes', () => {
  expect(outsideCover({ covers: ['cancellation'] }, '2026-11-10', { ...insured, groups: undefined })).toEqual([])
})
