import { beforeEach, describe, expect, test } from 'vitest'
import { showLoader } from './loading.ts'
import { clearNotices, closeAlert, showAlert, showToast, useAlert, useLoader, useToast } from './notices.ts'

beforeEach(clearNotices)

describe('the alert', () => {
  test('the alert opens with the spec’s state and closes to the empty state', { tags: 'S3.15' }, () => {
    expect(showAlert({ mode: 'error', title: 'No', showCloseIcon: false })).toBeUndefined()
    expect(useAlert.getState()).toEqual({
      isVisible: true,
      title: 'No',
      description: undefined,
      buttonTitle: undefined,
      buttonBehavior: undefined,
      mode: 'error',
      showCloseIcon: false,
    })
    closeAlert(false)
    expect(useAlert.getState()).toEqual({
      isVisible: false,
      title: undefined,
      description: undefined,
      buttonTitle: undefined,
      buttonBehavior: undefined,
      mode: 'info',
      showCloseIcon: true,
    })
  })

  test('showAlert returns a promise for confirm only: true if confirmed, else false', { tags: 'S4.16' }, async () => {
    const confirmed = showAlert({ mode: 'confirm' })
    closeAlert(true)
    await expect(confirmed).resolves.toBe(true)
    const cancelled = showAlert({ mode: 'confirm' })
    closeAlert(false)
    await expect(cancelled).resolves.toBe(false)
    const replaced = showAlert({ mode: 'confirm' })
    showAlert({ mode: 'info' })
    await expect(replaced).resolves.toBe(false)
    expect(useAlert.getState()).toMatchObject({ isVisible: true, mode: 'info' })
    for (const mode of ['info', 'warning', 'error'] as const) expect(showAlert({ mode }), mode).toBeUndefined()
  })
})

describe('the toast', () => {
  test('a toast has the defaults of the spec', { tags: ['S2.22', 'S3.15', 'S9.7'] }, () => {
    showToast({ summary: 'Saved' })
    expect(useToast.getState()).toMatchObject({ isVisible: true, severity: 'info', position: 'top-right', life: 3000 })
  })

  test('a toast keeps nothing of the previous one; the same text is a new toast', { tags: 'S2.22' }, () => {
    showToast({ summary: 'One', detail: 'x', severity: 'error', life: 0 })
    const { number } = useToast.getState()
    showToast({ summary: 'One' })
    expect(useToast.getState()).toMatchObject({ detail: undefined, severity: 'info', life: 3000, number: number + 1 })
  })
})

describe('the loader', () => {
  test('the loader covers the area in its options, and the next one the whole page', { tags: ['S2.23', 'S3.15'] }, () => {
    const hide = showLoader({ bgTrasparent: true, fullScreen: false })
    expect(useLoader.getState()).toEqual({ isVisible: true, bgTrasparent: true, fullScreen: false })
    hide()
    showLoader()
    expect(useLoader.getState()).toEqual({ isVisible: true, bgTrasparent: false, fullScreen: true })
  })

  test('the loader stays until the last of several tasks is done', { tags: 'S2.23' }, () => {
    const [one, other] = [showLoader({ bgTrasparent: true }), showLoader()]
    one()
    one()
    expect(useLoader.getState().isVisible).toBe(true)
    other()
    expect(useLoader.getState()).toEqual({ isVisible: false, bgTrasparent: false, fullScreen: true })
  })
})

test('clearing the notices leaves nothing on the screen and cancels the alert', async () => {
  const confirmed = showAlert({ mode: 'confirm', title: 'Delete the policy of Ana?' })
  showToast({ summary: 'Sold to Ana' })
  const done = showLoader()
  clearNotices()
  done()
  await expect(confirmed).resolves.toBe(false)
  expect(JSON.stringify([useAlert.getState(), useToast.getState(), useLoader.getState()])).not.toContain('Ana')
  const next = showLoader()
  expect(useLoader.getState().isVisible).toBe(true)
  next()
  expect(useLoader.getState().isVisible).toBe(false)
  showLoader()
  clearNotices()
  showLoader()()
  expect(useLoader.getState().isVisible).toBe(false)
})
