import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'

const { phoneProblems } = await importInPage(() => import('./people-step.tsx'))

const name = { path: 'name', rule: 'required', key: 'validation.required' }
const length = { path: 'phonePrefix', rule: 'maxLength', key: 'validation.maxLength' }
const code = { rule: 'validPhone', key: 'validation.invalidPhonePrefix' }

test('a wrong calling code is one problem, at the field of the code', () => {
  expect(phoneProblems([name, length, { path: 'phoneNumber', ...code }])).toEqual([name, { path: 'phonePrefix', ...code }])
})

test('a wrong number, or a code that is only too long, is reported where it is', () => {
  const number = { path: 'phoneNumber', rule: 'validPhone', key: 'validation.invalidPhoneFormat' }
  expect(phoneProblems([length, number])).toEqual([length, number])
})
