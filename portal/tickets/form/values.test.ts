import { expect, test } from 'vitest'
import type { Form } from '../use-tickets.ts'
import { answersFor, emptyForm, ticketFormProblems, sentAnswers, withAnswers, withType } from './values.ts'

const field = (name: string, kind: Form['fields'][number]['kind'], more: Partial<Form['fields'][number]> = {}) => ({
  name,
  kind,
  label: name,
  hint: null,
  required: false,
  when: null,
  maxLength: null,
  notAfterToday: false,
  options: [],
  ...more,
})
const luggage: Form = {
  uuid: 'luggage',
  key: 'luggage',
  kind: 'claim',
  name: 'Luggage',
  description: '',
  icon: 'suitcase',
  policy: 'needed',
  calls: false,
  coveredBy: null,
  papers: [],
  fields: [
    field('event', 'choice', { required: true, options: [{ value: 'stolen', label: 'Stolen' }] }),
    field('policeReport', 'text', { required: true, when: { field: 'event', is: ['stolen'] } }),
    field('on', 'date'),
    field('cost', 'amount'),
    field('insured', 'flag'),
  ],
}
const context = { today: '2026-11-20', countries: [], travellers: [] }

test('every field of every type has a value before its type is chosen', () => {
  expect(withAnswers(emptyForm, [luggage]).answers).toEqual({ event: '', policeReport: '', on: '', cost: null, insured: false })
  expect(withAnswers({ ...emptyForm, answers: { event: 'stolen' } }, [luggage]).answers['event']).toBe('stolen')
})

test('a ticket sends only visible answers that are not empty, with ISO dates', () => {
  expect(sentAnswers(luggage, { event: '', policeReport: 'x', on: '05/11/2026', cost: 0, insured: false })).toEqual({
    on: '2026-11-05',
    cost: 0,
  })
  expect(sentAnswers(luggage, { event: 'stolen', policeReport: 'x', on: '', cost: null, insured: true })).toEqual({
    event: 'stolen',
    policeReport: 'x',
    insured: true,
  })
})

test('another type keeps shared answers, but clears choices that it does not offer', () => {
  expect(answersFor(luggage, { event: 'missed', policeReport: 'x' })).toEqual({ event: '', policeReport: 'x' })
  expect(answersFor(luggage, { event: 'stolen' })).toEqual({ event: 'stolen' })
})

test('the form has the problems of the service’s rules, at its own field names', () => {
  expect(ticketFormProblems(undefined, emptyForm, context)).toEqual([{ path: 'typeUuid', rule: 'required', key: 'tickets.choose_type' }])
  const form = { ...withAnswers(emptyForm, [luggage]), incidentDate: '21/11/2026' }
  const paths = ticketFormProblems(luggage, form, context).map(({ path }) => path)
  expect(paths).toEqual(['policyNumber', 'incidentDate', 'subject', 'description', 'contactEmail', 'answers.event'])
})

test('a draft takes the requested type, and keeps the answers that fit', () => {
  const other: Form = {
    ...luggage,
    uuid: 'refund',
    key: 'refund',
    fields: [field('event', 'choice', { options: [] }), field('on', 'date')],
  }
  const draft = { ...emptyForm, typeUuid: 'luggage', subject: 'Lost', answers: { event: 'stolen', on: '01/11/2026' } }
  const asked = withType(draft, [luggage, other], 'refund')
  expect(asked).toMatchObject({ typeUuid: 'refund', subject: 'Lost', answers: { event: '', on: '01/11/2026' } })
  for (const key of [undefined, 'luggage', 'gone']) expect(withType(draft, [luggage, other], key)).toBe(draft)
})

test('the affected person is one of the policy’s travellers, if these are known', () => {
  const claim: Form = { ...luggage, fields: [field('insuredPerson', 'text', { required: true })] }
  const problemsFor = (insuredPerson: string, travellers: readonly string[]) =>
    ticketFormProblems(claim, { ...emptyForm, answers: { insuredPerson } }, { ...context, travellers })
      .filter(({ path }) => path === 'answers.insuredPerson')
      .map(({ rule, key }) => [rule, key])
  expect(problemsFor('Luc', ['Luc Martin', 'Ève Martin'])).toEqual([['traveller', 'tickets.no_traveller']])
  expect(problemsFor('', ['Luc Martin'])).toEqual([['required', 'validation.required']])
  expect(problemsFor('Luc Martin', ['Luc Martin'])).toEqual([])
  expect(problemsFor('Luc', [])).toEqual([])
  expect(
    ticketFormProblems(luggage, { ...emptyForm, answers: { insuredPerson: 'Luc' } }, { ...context, travellers: ['Ève'] }),
  ).not.toContainEqual(expect.objectContaining({ rule: 'traveller' }))
})
