import { expect, test } from 'vitest'
import { mustStay } from './must-stay.ts'

const funnel = ['/funnel', '/funnel/steps/step2']
const others = ['/products', '/policies/saved']

test.each([
  ['nothing runs', false, false, []],
  ['a request runs', true, false, funnel],
  ['a card is charged', false, true, [...funnel, ...others]],
  ['a card is charged and a request runs', true, true, [...funnel, ...others]],
])('while %s, only paths that lose no payment open', (_case, isLoading, isCharging, blocked) => {
  expect([...funnel, ...others].filter(path => mustStay(isLoading, isCharging, path))).toEqual(blocked)
})
