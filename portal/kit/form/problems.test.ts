import { createFormControl } from 'react-hook-form'
import { describe, expect, test } from 'vitest'
import type { Problem } from '#common/kit/problems.ts'
import { fieldErrors, formName, inScreenOrder, problemList, resolverOf } from './problems.ts'

const problem = (path: string, rule = 'required'): Problem => ({ path, rule, key: `validation.${rule}` })

test('a path becomes the name of its field in the form', () => {
  expect(formName('users[1].name')).toBe('users.1.name')
  expect(formName('a[0][12].b')).toBe('a.0.12.b')
  expect(formName('startDate')).toBe('startDate')
})

test('a field with several problems shows the first', () => {
  expect(fieldErrors([problem('email', 'required'), problem('email', 'email')])).toEqual({
    email: { type: 'required', problem: problem('email', 'required') },
  })
})

test('a list and one of its rows can both have a problem', () => {
  const errors = fieldErrors([problem('users', 'extraTravellers'), problem('users[1].name')])
  expect(problemList(errors).map(({ name, problem }) => [name, problem.type])).toEqual([
    ['users.1.name', 'required'],
    ['users', 'extraTravellers'],
  ])
})

test('a row and one of its fields can both have a problem', () => {
  const errors = fieldErrors([problem('users[1]', 'twice'), problem('users[1].name')])
  expect(problemList(errors).map(({ name, problem }) => [name, problem.type])).toEqual([
    ['users.1', 'twice'],
    ['users.1.name', 'required'],
  ])
})

test('a problem of the whole form is at its root', () => {
  expect(fieldErrors([problem('')])).toEqual({ root: { type: 'required', problem: problem('') } })
})

test('problems are listed in the order of the screen, a list before its rows, the form last', () => {
  type Place = { at: number; compareDocumentPosition(other: Place): number }
  const place = (at: number): Place => ({ at, compareDocumentPosition: other => (other.at > at ? 4 : 2) })
  const elements = new Map([
    ['phone', place(4)],
    ['name', place(1)],
    ['users.1.name', place(3)],
    ['users.0.name', place(2)],
  ])
  const problems = problemList(fieldErrors(['', 'phone', 'users', 'users[1].name', 'users[0].name', 'name'].map(path => problem(path))))
  expect(inScreenOrder(problems, elements).map(({ name }) => name)).toEqual([
    'name',
    'users',
    'users.0.name',
    'users.1.name',
    'phone',
    'root',
  ])
})

describe('a form', () => {
  const rules = ({ name, end }: { name: string; end: string }) => [...(name ? [] : [problem('name')]), ...(end ? [] : [problem('end')])]
  const open = () =>
    createFormControl({ defaultValues: { name: '', end: '' }, mode: 'onBlur', reValidateMode: 'onBlur', resolver: resolverOf(rules) })

  test('a form shows only the problem of the field that was validated', async () => {
    const { control, trigger } = open()
    control.register('name')
    control.register('end')
    await trigger('name')
    expect(problemList(control._formState.errors).map(({ name }) => name)).toEqual(['name'])
  })

  test('a form is not sent while a rule is broken, and is sent afterwards', async () => {
    const { control, handleSubmit, setValue } = open()
    control.register('name')
    control.register('end')
    const sent: unknown[] = []
    await handleSubmit(values => void sent.push(values))()
    expect(problemList(control._formState.errors).map(({ name }) => name)).toEqual(['name', 'end'])
    setValue('name', 'Ana')
    setValue('end', '05/11/2026')
    await handleSubmit(values => void sent.push(values))()
    expect(sent).toEqual([{ name: 'Ana', end: '05/11/2026' }])
  })
})
