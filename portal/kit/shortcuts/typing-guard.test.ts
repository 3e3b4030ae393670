import { beforeEach, expect, test } from 'vitest'
import { openScreen } from '#portal/screen/testing.ts'

type Made = Record<'field' | 'other' | 'button' | 'checkbox', HTMLElement>
let made: Made
/** The keys that reached the page, and the released ones that may press a button. */
let reached: string[]

beforeEach(async () => {
  await openScreen(undefined, '/auth/sign-in')
  await import('./typing-guard.ts')
  reached = []
  document.body.innerHTML =
    '<input id="field"><textarea id="other"></textarea><button id="button"></button><input type="checkbox" id="checkbox">'
  // Safe: the markup names each of them.
  made = Object.fromEntries([...document.body.children].map(each => [each.id, each])) as Made
  document.body.addEventListener('keydown', ({ key }) => reached.push(key))
})

type Pressed = { key: string; at: number; on: keyof Made } & KeyboardEventInit

/** Sends a key at a time in milliseconds. Returns true if the browser may act on it. */
function press({ on, at, ...init }: Pressed, type = 'keydown'): boolean {
  const event = new KeyboardEvent(type, { bubbles: true, cancelable: true, ...init })
  return made[on].dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: at }))
}

test.each(['a', 'ñ', '7', '/', ' ', 'Enter'])('%j on a button does nothing within half a second of a key in a field', key => {
  press({ key: 'Tab', on: 'field', at: 1000 })
  expect(press({ key, on: 'button', at: 1499 })).toBe(false)
  expect(reached).toEqual(['Tab'])
})

test('text that is stopped is typing, too, until a pause of half a second', () => {
  press({ key: 'x', on: 'field', at: 1000 })
  for (let at = 1080; at < 3000; at += 80) expect(press({ key: 'n', on: 'button', at })).toBe(false)
  expect(press({ key: 'n', on: 'button', at: 3500 })).toBe(true)
})

test('a key that no text has, a key in a field and a key with Control work at once', () => {
  press({ key: 'x', on: 'field', at: 1000 })
  for (const key of ['Tab', 'Escape', 'ArrowDown', 'Delete']) expect(press({ key, on: 'button', at: 1010 }), key).toBe(true)
  expect(press({ key: 'Enter', ctrlKey: true, on: 'button', at: 1010 })).toBe(true)
  expect(press({ key: 'k', metaKey: true, on: 'button', at: 1010 })).toBe(true)
  expect(press({ key: 'a', on: 'other', at: 1010 })).toBe(true)
  expect(press({ key: 'n', on: 'checkbox', at: 1010 })).toBe(false)
})

test('Space ticks a checkbox after Tab or Control, and not within text', () => {
  press({ key: 'x', on: 'field', at: 1000 })
  expect(press({ key: ' ', on: 'checkbox', at: 1010 })).toBe(false)
  press({ key: 'Tab', on: 'field', at: 1020 })
  expect(press({ key: ' ', on: 'checkbox', at: 1030 })).toBe(true)
  press({ key: 'Enter', ctrlKey: true, on: 'field', at: 1040 })
  expect(press({ key: ' ', on: 'checkbox', at: 1050 })).toBe(true)
})

test('an arrow in a field leads out of typing, and a stopped Enter can be pressed again', () => {
  press({ key: 'x', on: 'field', at: 1000 })
  press({ key: 'ArrowDown', on: 'field', at: 1010 })
  expect(press({ key: 'Enter', on: 'button', at: 1020 })).toBe(true)
  press({ key: 'x', on: 'field', at: 2000 })
  expect(press({ key: 'Enter', on: 'button', at: 2300 })).toBe(false)
  expect(press({ key: 'Enter', on: 'button', at: 2600 })).toBe(true)
})

test('without a key in a field, and after a press of the pointer, every key works', () => {
  expect(press({ key: 'n', on: 'button', at: 1000 })).toBe(true)
  press({ key: 'x', on: 'field', at: 2000 })
  made.button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  expect(press({ key: 'Enter', on: 'button', at: 2010 })).toBe(true)
})

test('a stopped Space is not released on a button', () => {
  press({ key: 'x', on: 'field', at: 1000 })
  press({ key: ' ', on: 'button', at: 1010 })
  expect(press({ key: ' ', on: 'button', at: 1020 }, 'keyup')).toBe(false)
  press({ key: ' ', on: 'button', at: 2000 })
  expect(press({ key: ' ', on: 'button', at: 2010 }, 'keyup')).toBe(true)
})
