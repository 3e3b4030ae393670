import { beforeEach, describe, expect, test } from 'vitest'
import { clearNotices, closeAlert, showAlert, showLoader, showToast, useAlert, useLoader, useToast } from './notices.ts'

beforeEach(clearNotices)

describe('the alert', () => {
  test('opens with the spec’s state and closes to nothing', { tags: 'S3.15' }, () => {
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
    expect(useAlert.getState().isVisible).toBe(false)
    expect(useAlert.getState().title).toBeUndefined()
  })

  test('only confirm gives a promise: true when confirmed, false when given up or replaced', { tags: 'S4.16' }, async () => {
    const confirmed = showAlert({ mode: 'confirm' })
    closeAlert(true)
    await expect(confirmed).resolves.toBe(true)
    const givenUp = showAlert({ mode: 'confirm' })
    closeAlert(false)
    await expect(givenUp).resolves.toBe(false)
    const replaced = showAlert({ mode: 'confirm' })
    showAlert({ mode: 'info' })
    await expect(replaced).resolves.toBe(false)
    expect(useAlert.getState()).toMatchObject({ isVisible: true, mode: 'info' })
  })
})

describe('the toast', () => {
  test('has the spec’s defaults', { tags: ['S3.15', 'S9.7'] }, () => {
    showToast({ summary: 'Saved' })
    expect(useToast.getState()).toMatchObject({ isVisible: true, severity: 'info', position: 'top-right', life: 3000 })
  })

  test('nothing of the one before is left in the next, and the same again is another', () => {
    showToast({ summary: 'One', detail: 'x', severity: 'error', life: 0 })
    const { number } = useToast.getState()
    showToast({ summary: 'One' })
    expect(useToast.getState()).toMatchObject({ detail: undefined, severity: 'info', life: 3000, number: number + 1 })
  })
})

describe('the loader', () => {
  test('is there until the last that wanted it is done', { tags: 'S2.23' }, () => {
    const [one, other] = [showLoader({ bgTrasparent: true }), showLoader()]
    one()
    one()
    expect(useLoader.getState().isVisible).toBe(true)
    other()
    expect(useLoader.getState()).toEqual({ isVisible: false, bgTrasparent: false, fullScreen: true })
  })
})

test('signing out leaves nothing on the screen', async () => {
  const asked = showAlert({ mode: 'confirm', title: 'Delete the policy of Ana?' })
  showToast({ summary: 'Sold to Ana' })
  const done = showLoader()
  clearNotices()
  done()
  await expect(asked).resolves.toBe(false)
  expect(JSON.stringify([useAlert.getState(), useToast.getState(), useLoader.getState()])).not.toContain('Ana')
  const next = showLoader()
  expect(useLoader.getState().isVisible).toBe(true)
  next()
  expect(useLoader.getState().isVisible).toBe(false)
})
