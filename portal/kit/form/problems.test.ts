import { createFormControl } from 'react-hook-form'
import { describe, expect, test } from 'vitest'
import type { Problem } from '#common/kit/problems.ts'
import { faultList, faultsOf, formName, resolverOf } from './problems.ts'

const problem = (path: string, rule = 'required'): Problem => ({ path, rule, key: `validation.${rule}` })

test('paths become the form’s names', () => {
  expect(formName('users[1].name')).toBe('users.1.name')
  expect(formName('a[0][12].b')).toBe('a.0.12.b')
  expect(formName('startDate')).toBe('startDate')
})

test('of several problems at one field the first is shown', () => {
  expect(faultsOf([problem('email', 'required'), problem('email', 'email')])).toEqual({
    email: { type: 'required', problem: problem('email', 'required') },
  })
})

test('a list and its rows can both be at fault', () => {
  const faults = faultsOf([problem('users', 'extraTravellers'), problem('users[1].name')])
  expect(faultList(faults).map(({ name, fault }) => [name, fault.type])).toEqual([
    ['users.1.name', 'required'],
    ['users', 'extraTravellers'],
  ])
})

test('so can a row and its field', () => {
  const faults = faultsOf([problem('users[1]', 'twice'), problem('users[1].name')])
  expect(faultList(faults).map(({ name, fault }) => [name, fault.type])).toEqual([
    ['users.1', 'twice'],
    ['users.1.name', 'required'],
  ])
})

test('what concerns the whole stands at the root', () => {
  expect(faultsOf([problem('')])).toEqual({ root: { type: 'required', problem: problem('') } })
})

describe('a form', () => {
  const rules = ({ name, end }: { name: string; end: string }) => [...(name ? [] : [problem('name')]), ...(end ? [] : [problem('end')])]
  const open = () =>
    createFormControl({ defaultValues: { name: '', end: '' }, mode: 'onBlur', reValidateMode: 'onBlur', resolver: resolverOf(rules) })

  test('shows the fault of the field that was judged, not of one that nobody reached yet', async () => {
    const { control, trigger } = open()
    control.register('name')
    control.register('end')
    await trigger('name')
    expect(faultList(control._formState.errors).map(({ name }) => name)).toEqual(['name'])
  })

  test('is not sent while a rule is broken, and is when none is', async () => {
    const { control, handleSubmit, setValue } = open()
    control.register('name')
    control.register('end')
    const sent: unknown[] = []
    await handleSubmit(values => void sent.push(values))()
    expect(faultList(control._formState.errors).map(({ name }) => name)).toEqual(['name', 'end'])
    setValue('name', 'Ana')
    setValue('end', '05/11/2026')
    await handleSubmit(values => void sent.push(values))()
    expect(sent).toEqual([{ name: 'Ana', end: '05/11/2026' }])
  })
})
