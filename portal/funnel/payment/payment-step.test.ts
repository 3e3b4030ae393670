import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'

const { mustStay } = await importInPage(() => import('./payment-step.tsx'))

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
