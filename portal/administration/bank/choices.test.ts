import { expect, test } from 'vitest'
import { draftOf, type Entry, toBook, withAgency, withPicked } from './choices.ts'

const entry = (uuid: string, facts: Partial<Entry> = {}): Entry => ({
  uuid,
  account: '1',
  bookedOn: '2026-12-14',
  way: 'received',
  isReversal: false,
  amount: 5,
  currency: 'EUR',
  name: '',
  reference: '',
  state: 'new',
  bookedFor: null,
  byHand: [],
  proposal: null,
  ...facts,
})
const by = (by: 'statement' | 'name' | 'amount') => ({
  proposal: { businessUnit: { uuid: 'azahar', brandName: 'Azahar' }, statement: null, by },
})
const draft = draftOf('', {
  agencies: [],
  entries: [
    entry('number', by('statement')),
    entry('name', by('name')),
    entry('amount', by('amount')),
    entry('alike', { state: 'alike', ...by('name') }),
    entry('booked', { state: 'booked', ...by('name') }),
    entry('fee', { way: 'paid', proposal: { ...by('statement').proposal, doubtful: true } }),
    entry('unknown'),
  ],
})
const booked = (from: typeof draft) => toBook(from).map(({ uuid }) => uuid)

test('only certain proposals are selected at first', () => {
  expect(toBook(draft)).toEqual([
    { uuid: 'number', businessUnitUuid: 'azahar' },
    { uuid: 'name', businessUnitUuid: 'azahar' },
  ])
})

test('choosing an agency selects its entry; without one it cannot be booked', () => {
  expect(booked(withAgency(draft, 'unknown', 'rotta'))).toEqual(['number', 'name', 'unknown'])
  expect(booked(withAgency(draft, 'name', null))).toEqual(['number'])
  expect(booked(withPicked(draft, 'unknown', true))).toEqual(['number', 'name'])
  expect(booked(withPicked(withPicked(draft, 'amount', true), 'number', false))).toEqual(['name', 'amount'])
})

test('an entry resembling a payment booked by hand is never selected automatically', () => {
  const byHand = [{ businessUnitUuid: 'azahar', on: '2026-12-12', reference: 'N43-17' }]
  const read = draftOf('', { agencies: [], entries: [entry('number', { byHand, ...by('statement') }), entry('unknown', { byHand })] })
  expect(booked(read)).toEqual([])
  expect(booked(withAgency(read, 'unknown', 'azahar'))).toEqual([])
  expect(booked(withAgency(read, 'unknown', 'rotta'))).toEqual(['unknown'])
  expect(toBook(withPicked(read, 'number', true))).toEqual([{ uuid: 'number', businessUnitUuid: 'azahar', again: true }])
})
