import { expect, test } from 'vitest'
import { keysOf, shortcuts } from './shortcuts.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

test.each([
  [{ key: 'n' }, 'n'],
  [{ key: '?', shiftKey: true }, '?'],
  [{ key: '/', shiftKey: true }, '/'],
  [{ key: 'k', ctrlKey: true }, 'Control+K'],
  [{ key: 'k', metaKey: true }, 'Control+K'],
  [{ key: 'K', ctrlKey: true, shiftKey: true }, 'Control+Shift+K'],
  [{ key: 'Enter', ctrlKey: true }, 'Control+Enter'],
  [{ key: 'Enter', metaKey: true, shiftKey: true }, 'Control+Shift+Enter'],
  [{ key: 'Enter' }, 'Enter'],
  // AltGr is Control and Alt on some keyboards, and types characters.
  [{ key: '/', ctrlKey: true, altKey: true }, undefined],
  [{ key: 'n', altKey: true }, undefined],
])('%j is %s', (pressed, keys) => expect(keysOf({ ...none, ...pressed })).toBe(keys))

test('each shortcut is one key, and differs from the others', () => {
  const all = Object.values(shortcuts).flatMap(keys => keys.split(' '))
  expect(new Set(all).size).toBe(all.length)
  // Browsers use every letter with Control themselves, but leave K to pages.
  expect(all.filter(keys => /^Control\+(?!K$|\.$|(?:Shift\+)?Enter$)/.test(keys))).toEqual([])
})
