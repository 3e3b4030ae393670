import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './processes.ts'

const read =
  /expect\(\[?\s*await [^\n]*\.(?:count|inputValue|textContent|innerText|innerHTML|isVisible|isHidden|isChecked|isDisabled|isEnabled|isEditable|getAttribute|allTextContents|allInnerTexts|title|evaluate|evaluateAll|boundingBox)\(/g

const readsIn = (source: string): string[] => [...source.matchAll(read)].map(([found]) => found)

test('an end-to-end test waits for what a page shows, and never reads it once', () => {
  const files = globSync('e2e/**/*.e2e.ts', { cwd: root })
  expect(files.length).toBeGreaterThan(40)
  expect(files.flatMap(file => readsIn(readFileSync(join(root, file), 'utf8')).map(found => `${file}: ${found}`))).toEqual([])
})

test('a read by a locator is found; a matcher and a value are not', () => {
  expect(readsIn("expect(await page.locator('b').count()).toBe(1)")).toHaveLength(1)
  expect(readsIn("expect([await field.inputValue(), 1]).toEqual(['x', 1])")).toHaveLength(1)
  expect(readsIn("expect(\n  await field.getAttribute('id'),\n).toBe('x')")).toHaveLength(1)
  expect(readsIn("await expectPage(page.locator('b')).toHaveCount(1); expect(await mails()).toEqual([])")).toEqual([])
})
